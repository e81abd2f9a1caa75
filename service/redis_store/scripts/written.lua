-- Finds what was written under an idempotency key, and writes it again, so that a WAIT after it means something.
-- KEYS  1 written     ARGV  1 digest of the idempotency key
local earlier = redis.call('HGET', KEYS[1], ARGV[1])
if earlier then
  redis.call('HSET', KEYS[1], ARGV[1], earlier)
end
return earlier
