-- Takes or renews leases, in their order, by the server's clock. One that has longer to go than any lasts is from before the clock
-- was set back: it is cut to what it would last now.
-- KEYS  leases     ARGV  1 owner  2 milliseconds  3 how many at most     Returns for each lease 1 if it is the owner's now, else 0.
local owned, left = {}, tonumber(ARGV[3])
for place, lease in ipairs(KEYS) do
  owned[place] = 0
  local holder = left > 0 and redis.call('GET', lease)
  if left > 0 and (not holder or holder == ARGV[1]) then
    redis.call('SET', lease, ARGV[1], 'PX', ARGV[2])
    owned[place] = 1
    left = left - 1
  elseif left > 0 and redis.call('PTTL', lease) > tonumber(ARGV[2]) then
    redis.call('PEXPIRE', lease, ARGV[2])
  end
end
return owned
