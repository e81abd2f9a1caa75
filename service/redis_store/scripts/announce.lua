-- Notes that a blob is about to be put outside. It is a leftover until it becomes an archive, so it cannot be forgotten.
-- KEYS  1 head  2 leftovers     ARGV  1 version  2 chain  3 key of the blob     Returns 1, or 0 if nothing was written.
local head = redis.call('HMGET', KEYS[1], 'version', 'chain')
if head[1] ~= ARGV[1] or head[2] ~= ARGV[2] then
  return 0
end
redis.call('ZADD', KEYS[2], time(''), ARGV[3])
return 1
