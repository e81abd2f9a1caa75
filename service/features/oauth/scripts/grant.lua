-- Sets a field of a hash in place of the one that the caller has read. Returns 1, or 0 if another one is there by now.
-- KEYS  1 hash     ARGV  1 field  2 the value that was read, '' for none  3 the new one  4 for how many milliseconds
local found = redis.call('HGET', KEYS[1], ARGV[1]) or ''
if found == ARGV[3] then
  return 1
end
if found ~= ARGV[2] then
  return 0
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1
