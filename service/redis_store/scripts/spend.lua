-- Takes units out of a budget. Stored is when it will be full again. If that is further off than the empty budget takes, it is
-- from before the clock was set back, and the budget is full.
-- KEYS  1 budget     ARGV  1 now (us)  2 step: the time for one unit (us)  3 room: the time for all of them  4 units wanted
--                            5 by how much clocks may differ (us)
-- Returns {units given, time until it is full (us)}.
local now, step, room, wanted = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local full = tonumber(redis.call('GET', KEYS[1]) or now)
if full < now or full > now + room + tonumber(ARGV[5]) then
  full = now
end
full = math.min(full, now + room)
local given = math.min(wanted, math.floor((now + room - full) / step))
if given > 0 then
  full = full + given * step
  redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000))
end
return {given, full - now}
