-- Sets a field of a hash in place of the value that the caller has read. Returns 1, or 0 if another one is there by now, or none.
-- KEYS  1 hash     ARGV  1 field  2 the value that was read  3 the new one
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then
  return 0
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1
