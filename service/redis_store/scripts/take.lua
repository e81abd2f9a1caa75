-- Takes or renews a lease.     KEYS  1 lease     ARGV  1 owner  2 milliseconds     Returns 1 if it is the owner's now.
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
