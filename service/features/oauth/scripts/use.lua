-- Notes a use by its name, and returns the how-manyth it is; the same one again stays what it was.
-- KEYS  1 hash     ARGV  1 name of the use  2 for how many milliseconds it is kept
local known = redis.call('HGET', KEYS[1], ARGV[1])
if known then
  return tonumber(known)
end
local place = redis.call('HLEN', KEYS[1]) + 1
redis.call('HSET', KEYS[1], ARGV[1], place)
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return place
