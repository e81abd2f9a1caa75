-- Writes what a player has chosen if the choice before is the one that the caller has read.
-- One that stands there as it is counts as written: a lost reply makes the caller ask again.
-- KEYS  1 notices     ARGV  1 player  2 revision  3 record     Returns 1, or 0 if nothing was written.
local at = KEYS[1]
local held = tonumber(redis.call('HGET', at .. ':revisions', ARGV[1]) or '0')
if held == tonumber(ARGV[2]) and redis.call('HGET', at .. ':of', ARGV[1]) == ARGV[3] then
  return 1
end
if held ~= tonumber(ARGV[2]) - 1 then
  return 0
end
redis.call('HSET', at .. ':revisions', ARGV[1], ARGV[2])
redis.call('HSET', at .. ':of', ARGV[1], ARGV[3])
return 1
