-- Removes a webhook with all that belongs to it.
-- KEYS  1 webhooks     ARGV  1 id  2 player
local id = ARGV[1]
for _, each in ipairs({'all', 'revisions', 'counts', 'couriers'}) do
  redis.call('HDEL', at .. ':' .. each, id)
end
for _, each in ipairs({'paused', 'failing'}) do
  redis.call('SREM', at .. ':' .. each, id)
end
for _, each in ipairs({'queue', 'flight', 'done', 'ranks', 'questions', 'dropped', 'log', 'deliveries'}) do
  redis.call('DEL', of(each, id))
end
redis.call('ZREM', at .. ':busy', id)
count(id)
schedule(id)
redis.call('SREM', at .. ':of:' .. ARGV[2], id)
if redis.call('EXISTS', at .. ':of:' .. ARGV[2]) == 0 then
  redis.call('SREM', at .. ':owners', ARGV[2])
end
return 1
