-- Removes a webhook with all that belongs to it.
-- KEYS  1 webhooks     ARGV  1 id  2 player
local at, id = KEYS[1], ARGV[1]
redis.call('HDEL', at .. ':all', id)
redis.call('HDEL', at .. ':revisions', id)
redis.call('HDEL', at .. ':counts', id)
redis.call('SREM', at .. ':paused', id)
redis.call('ZREM', at .. ':due', id)
redis.call('ZREM', at .. ':busy', id)
redis.call('DEL', at .. ':queue:' .. id, at .. ':log:' .. id, at .. ':deliveries:' .. id)
redis.call('SREM', at .. ':of:' .. ARGV[2], id)
if redis.call('EXISTS', at .. ':of:' .. ARGV[2]) == 0 then
  redis.call('SREM', at .. ':owners', ARGV[2])
end
return 1
