-- Replaces a delivery that is still in the log, and queues it for a time or takes it out of the queue.
-- KEYS  1 webhooks     ARGV  1 webhook  2 delivery  3 time or ''  4 record
local at, id = KEYS[1], ARGV[1]
local queue = at .. ':queue:' .. id
if redis.call('HEXISTS', at .. ':deliveries:' .. id, ARGV[2]) == 0 then
  return 0
end
redis.call('HSET', at .. ':deliveries:' .. id, ARGV[2], ARGV[4])
if ARGV[3] == '' then
  redis.call('ZREM', queue, ARGV[2])
else
  redis.call('ZADD', queue, ARGV[3], ARGV[2])
end
local first = redis.call('ZRANGE', queue, 0, 0, 'WITHSCORES')[2]
if first and not redis.call('ZSCORE', at .. ':busy', id) and redis.call('SISMEMBER', at .. ':paused', id) == 0 then
  redis.call('ZADD', at .. ':due', first, id)
end
return 1
