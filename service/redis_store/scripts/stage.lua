-- Puts a blob beside a match's log, if the log ends where the blob does and is not archived in this store up to there.
-- KEYS  1 head  2 staged     ARGV  1 version  2 chain  3 blob     Returns 1, or 0 if nothing was written.
local head = redis.call('HMGET', KEYS[1], 'version', 'chain', 'archived', 'outside')
if head[1] ~= ARGV[1] or head[2] ~= ARGV[2] or (head[3] == ARGV[1] and not head[4]) then
  return 0
end
redis.call('SET', KEYS[2], ARGV[3])
return 1
