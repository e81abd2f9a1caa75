-- Makes the staged blob the archive of a match, and frees its log and its keys. It must be the very blob that was read back and
-- found to be whole, and the log must end where it does. Without a blob, or if that was done already, it ends the care alone.
-- KEYS  1 head  2 staged  3 archive  4 entries  5 written  6 care  7 reference  8 leftovers
-- ARGV  1 version  2 chain  3 blob or ''  4 match     Returns 1, or 0 if nothing was changed.
local head = redis.call('HMGET', KEYS[1], 'version', 'chain', 'archived', 'outside')
if head[1] ~= ARGV[1] or head[2] ~= ARGV[2] then
  return 0
end
if head[3] ~= ARGV[1] or (head[4] and ARGV[3] ~= '') then
  if redis.call('GET', KEYS[2]) ~= ARGV[3] then
    return 0
  end
  redis.call('RENAME', KEYS[2], KEYS[3])
  redis.call('HSET', KEYS[1], 'archived', ARGV[1])
  redis.call('DEL', KEYS[4], KEYS[5], KEYS[7])
  if head[4] then
    redis.call('HDEL', KEYS[1], 'outside')
    redis.call('ZADD', KEYS[8], time(''), ARGV[4] .. '/' .. head[4])
  end
end
redis.call('ZREM', KEYS[6], ARGV[4])
return 1
