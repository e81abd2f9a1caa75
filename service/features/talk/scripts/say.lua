-- Adds a line to a room, unless it is there already, and lets the oldest go.
-- KEYS  1 sorted set: line -> number  2 hash: line -> body, and how many there have been  3 set: who has spoken in the match
-- ARGV  1 line  2 body  3 player  4 how many are kept
-- Returns the number of the line.
local known = redis.call('ZSCORE', KEYS[1], ARGV[1])
if known then
  return tonumber(known)
end
local n = redis.call('HINCRBY', KEYS[2], 'end', 1)
redis.call('ZADD', KEYS[1], n, ARGV[1])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
redis.call('SADD', KEYS[3], ARGV[3])
for _, old in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', n - ARGV[4])) do
  redis.call('ZREM', KEYS[1], old)
  redis.call('HDEL', KEYS[2], old)
end
return n
