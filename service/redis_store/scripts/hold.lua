-- Notes that a holder holds a match, unless it holds as many others as it may. Safe to repeat.
-- KEYS  1 held     ARGV  1 match  2 limit  3 now  4 milliseconds to keep
-- Returns nothing, or what is held: match, time, match, time ... oldest first.
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then
  return redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')
end
redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return {}
