
-- Returns where an inbox ends, and notices after a place; keeps the inbox.
-- KEYS  1 inboxes     ARGV  1 player  2 now  3 until  4 chain of a new inbox  5 limit  6 number of the place or ''  7 its digits
-- Returns {number at the end, chain there, number of the first notice, notices...}; false if the inbox does not have the place.
local player = ARGV[1]
local head, list = of('head', player), of('items', player)
if redis.call('HSETNX', at .. ':since', player, ARGV[2]) == 1 then
  redis.call('HSET', head, 'chain', ARGV[4], 'floor', string.sub(ARGV[4], 1, DIGITS))
end
redis.call('ZADD', at .. ':until', ARGV[3], player)
local last = tonumber(redis.call('HGET', at .. ':ends', player) or '0')
local chain = redis.call('HGET', head, 'chain')
if ARGV[6] == '' then
  return {last, chain, last + 1}
end
local floor = last - redis.call('LLEN', list)
local skipped = tonumber(ARGV[6]) - floor
if skipped < 0 or tonumber(ARGV[6]) > last then
  return false
end
local known
if skipped == 0 then
  known = redis.call('HGET', head, 'floor')
else
  known = string.sub(redis.call('LINDEX', list, skipped - 1), 1, DIGITS)
end
if known ~= ARGV[7] then
  return false
end
local found = redis.call('LRANGE', list, skipped, skipped + tonumber(ARGV[5]) - 1)
return {last, chain, tonumber(ARGV[6]) + 1, unpack(found)}
