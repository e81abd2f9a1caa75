-- Sets a string for some time in place of the one that the caller has read. Returns 1, or 0 if another one is there by now.
-- KEYS  1 string     ARGV  1 the value that was read, '' for none  2 the new one  3 for how many milliseconds
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1
