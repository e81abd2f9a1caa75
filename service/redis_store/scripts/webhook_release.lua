-- Ends the turn of a webhook: it is due with its next delivery.
-- KEYS  1 webhooks     ARGV  1 webhook
local at, id = KEYS[1], ARGV[1]
redis.call('ZREM', at .. ':busy', id)
local first = redis.call('ZRANGE', at .. ':queue:' .. id, 0, 0, 'WITHSCORES')[2]
if first and redis.call('SISMEMBER', at .. ':paused', id) == 0 then
  redis.call('ZADD', at .. ':due', first, id)
else
  redis.call('ZREM', at .. ':due', id)
end
return 1
