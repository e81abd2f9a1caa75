-- Finds what was written under an idempotency key, and the match's archive: all at one moment.
-- KEYS  1 written  2 head     ARGV  1 digest of the idempotency key  2 '1': write it again, so that a WAIT after it means something
-- Returns {what was written or false, archived version or false, name of the blob outside or false}.
local earlier = redis.call('HGET', KEYS[1], ARGV[1])
if earlier and ARGV[2] == '1' then
  redis.call('HSET', KEYS[1], ARGV[1], earlier)
end
local head = redis.call('HMGET', KEYS[2], 'archived', 'outside')
return {earlier, head[1], head[2]}
