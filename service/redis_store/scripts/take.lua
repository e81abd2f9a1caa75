-- Takes or renews a lease, by the server's clock. One that has longer to go than any lasts is from before the clock was set back:
-- it is cut to what it would last now.     KEYS  1 lease     ARGV  1 owner  2 milliseconds     Returns 1 if it is the owner's now.
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then
  if redis.call('PTTL', KEYS[1]) > tonumber(ARGV[2]) then
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
  end
  return 0
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
