-- Puts a value into a field of a hash in place of the one that the caller has read, or deletes the field. Returns 1, or 0 if
-- another value is there by now.
-- KEYS  1 hash     ARGV  1 field  2 the value that was read, '' for none  3 the new one, '' for none
if (redis.call('HGET', KEYS[1], ARGV[1]) or '') ~= ARGV[2] then
  return 0
end
if ARGV[3] == '' then
  redis.call('HDEL', KEYS[1], ARGV[1])
else
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
end
return 1
