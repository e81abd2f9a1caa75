-- Adds deliveries that are not there yet; the oldest ones of a log that is full make room.
-- KEYS  1 webhooks     ARGV  1 most in a log  2... steps of four: webhook, delivery, time, record
local at = KEYS[1]
for place = 2, #ARGV, 4 do
  local id, delivery = ARGV[place], ARGV[place + 1]
  local log, queue, records = at .. ':log:' .. id, at .. ':queue:' .. id, at .. ':deliveries:' .. id
  if redis.call('HEXISTS', at .. ':all', id) == 1 and redis.call('HSETNX', records, delivery, ARGV[place + 3]) == 1 then
    redis.call('ZADD', log, redis.call('HINCRBY', at .. ':counts', id, 1), delivery)
    redis.call('ZADD', queue, ARGV[place + 2], delivery)
    if redis.call('ZCARD', log) > tonumber(ARGV[1]) then
      local oldest = redis.call('ZPOPMIN', log)[1]
      redis.call('HDEL', records, oldest)
      redis.call('ZREM', queue, oldest)
    end
    if not redis.call('ZSCORE', at .. ':busy', id) and redis.call('SISMEMBER', at .. ':paused', id) == 0 then
      redis.call('ZADD', at .. ':due', redis.call('ZRANGE', queue, 0, 0, 'WITHSCORES')[2], id)
    end
  end
end
return 1
