-- Writes a token into its player's list, unless that has as many as the player may have.
-- One that stands there counts as written: a lost reply makes the caller ask again.
-- KEYS  1 list     ARGV  1 id  2 digest and record  3 how many the player may have, or ''
-- Returns 1, or 0 if nothing was written.
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then
  return 1
end
if ARGV[3] ~= '' and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[3]) then
  return 0
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 1
