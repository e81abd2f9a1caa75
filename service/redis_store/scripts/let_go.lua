-- Forgets matches that a holder held; one that was noted again since it was looked at stays. Safe to repeat.
-- KEYS  1 held     ARGV  match, time, match, time ...
for place = 1, #ARGV, 2 do
  if redis.call('ZSCORE', KEYS[1], ARGV[place]) == ARGV[place + 1] then
    redis.call('ZREM', KEYS[1], ARGV[place])
  end
end
return 1
