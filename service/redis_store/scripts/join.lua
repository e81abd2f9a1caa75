-- Notes that an owner is in a group, by the server's clock. Who has longer to go than any lasts is from before the clock was set
-- back, and is given no more than the others have.
-- KEYS  1 sorted set: owner -> Unix milliseconds until when     ARGV  1 owner  2 milliseconds     Returns how many are in it.
local now = time('')
local ends = string.format('%.0f', now + tonumber(ARGV[2]))
for _, owner in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. ends, '+inf')) do
  redis.call('ZADD', KEYS[1], ends, owner)
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now))
redis.call('ZADD', KEYS[1], ends, ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return redis.call('ZCARD', KEYS[1])
