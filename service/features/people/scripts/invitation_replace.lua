-- Puts an invitation in the place of one that is still there: one that has ended meanwhile does not come back.
-- KEYS  1 invited to a match     ARGV  1 player  2 invitation  3 what it takes the place of; empty: whatever is there
local found = redis.call('HGET', KEYS[1], ARGV[1])
if found and (ARGV[3] == '' or found == ARGV[3]) then
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
end
return 1
