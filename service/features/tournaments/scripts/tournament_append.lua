-- Adds facts to a tournament if it has as many as expected. Returns 1, also where these facts are those that follow already (a
-- repeated call), or 0.     KEYS  1 list     ARGV  1 how many are expected  2... the facts
local expected = tonumber(ARGV[1])
if redis.call('LLEN', KEYS[1]) == expected then
  for place = 2, #ARGV do
    redis.call('RPUSH', KEYS[1], ARGV[place])
  end
  return 1
end
local found = redis.call('LRANGE', KEYS[1], expected, expected + #ARGV - 2)
if #found ~= #ARGV - 1 then
  return 0
end
for place = 2, #ARGV do
  if found[place - 1] ~= ARGV[place] then
    return 0
  end
end
return 1
