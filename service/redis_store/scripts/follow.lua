-- Notes the time, and if it is earlier than the one noted last, brings all that is planned nearer by as much.
-- KEYS  1 clock  2... sorted sets of what is planned     ARGV  1 time, or '' for the server's  2 what counts as set back
--       3 how much later the time is when it is noted again     Returns by how much the clock was set back, or 0. With the clock
--       alone nothing is noted if it was: the caller is to come again with all that is planned.
local now = time(ARGV[1])
local last = tonumber(redis.call('GET', KEYS[1]) or now)
local back = last - now
if back <= tonumber(ARGV[2]) then
  if not redis.call('GET', KEYS[1]) or -back >= tonumber(ARGV[3]) then
    redis.call('SET', KEYS[1], string.format('%.0f', now))
  end
  return 0
end
if #KEYS == 1 then
  return back
end
for place = 2, #KEYS do
  local planned = redis.call('ZRANGE', KEYS[place], 0, -1, 'WITHSCORES')
  for entry = 1, #planned, 2 do
    redis.call('ZADD', KEYS[place], 'XX', string.format('%.17g', tonumber(planned[entry + 1]) - back), planned[entry])
  end
end
redis.call('SET', KEYS[1], string.format('%.0f', now))
return back
