-- Puts a declined invitation in the place of one that is still there: one that has ended meanwhile does not come back.
-- KEYS  1 invited to a match     ARGV  1 player  2 invitation
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
end
return 1
