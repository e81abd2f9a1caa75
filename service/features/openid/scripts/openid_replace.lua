-- Lets an identity lead to another player, or to none, if it still leads where the caller has seen it lead.
-- KEYS  1 player of an identity     ARGV  1 player before, empty: none  2 player after, empty: none
local there = redis.call('GET', KEYS[1]) or ''
if there == ARGV[2] then
  return 1
end
if there ~= ARGV[1] then
  return 0
end
if ARGV[2] == '' then
  redis.call('DEL', KEYS[1])
else
  redis.call('SET', KEYS[1], ARGV[2])
end
return 1
