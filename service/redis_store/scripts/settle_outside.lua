-- Makes a blob outside the archive of a match, and frees its log, its keys and its former archive. The log must end where the
-- blob does, and the blob must have been announced and not be condemned. The first write frees memory: a full server takes the rest.
-- KEYS  1 head  2 staged  3 archive  4 entries  5 written  6 care  7 reference  8 leftovers
-- ARGV  1 version  2 chain  3 name of the blob  4 match     Returns 1, or 0 if nothing was changed.
local head = redis.call('HMGET', KEYS[1], 'version', 'chain', 'archived', 'outside')
if head[1] ~= ARGV[1] or head[2] ~= ARGV[2] then
  return 0
end
if head[3] ~= ARGV[1] or head[4] ~= ARGV[3] then
  local announced = redis.call('ZSCORE', KEYS[8], ARGV[4] .. '/' .. ARGV[3])
  if not announced or tonumber(announced) == 0 then
    return 0
  end
  redis.call('ZREM', KEYS[8], ARGV[4] .. '/' .. ARGV[3])
  redis.call('DEL', KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[7])
  redis.call('HSET', KEYS[1], 'archived', ARGV[1], 'outside', ARGV[3])
  if head[4] then
    redis.call('ZADD', KEYS[8], time(''), ARGV[4] .. '/' .. head[4])
  end
end
redis.call('ZREM', KEYS[6], ARGV[4])
return 1
