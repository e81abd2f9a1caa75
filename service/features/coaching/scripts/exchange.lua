-- Puts a value into a field of a hash in place of the one that the caller has read. Returns 1, or 0 if another one is there by now.
-- KEYS  1 hash     ARGV  1 field  2 the value that was read, '' for none  3 the new one
if (redis.call('HGET', KEYS[1], ARGV[1]) or '') ~= ARGV[2] then
  return 0
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1
