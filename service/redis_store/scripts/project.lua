-- Writes rows and the new checkpoint of a shard, if the checkpoint is the expected one. What has not changed is not written: a row
-- that is the same, or its places in the indexes.
-- A stored row begins with a length and that many bytes of msgpack, {member, {names of the indexes}, when to make it again or 0};
-- the rest is not read here.
-- Which indexes an old row stands in is known here only, so their keys are made here; they have the shard's hash tag and so are
-- in its slot.
-- KEYS  1 rows  2 checkpoint     ARGV  1 expected checkpoint or ''  2 new one  3... match, stored row, match, stored row ...
-- Returns 1, or 0 if nothing was written.
if (redis.call('GET', KEYS[2]) or '') ~= ARGV[1] then
  return 0
end
for place = 3, #ARGV, 2 do
  local match, stored = ARGV[place], ARGV[place + 1]
  local old = redis.call('HGET', KEYS[1], match)
  local front = struct.unpack('>I4c0', stored)
  local before = old and struct.unpack('>I4c0', old)
  local row = cmsgpack.unpack(front)
  if front ~= before then
    if before then
      local was = cmsgpack.unpack(before)
      for _, name in ipairs(was[2]) do
        redis.call('ZREM', KEYS[1] .. ':' .. name, was[1])
      end
    end
    for _, name in ipairs(row[2]) do
      redis.call('ZADD', KEYS[1] .. ':' .. name, 0, row[1])
    end
  end
  if (row[3] or 0) > 0 then
    redis.call('ZADD', KEYS[1] .. ':again', row[3], match)
  else
    redis.call('ZREM', KEYS[1] .. ':again', match)
  end
  if stored ~= old then
    redis.call('HSET', KEYS[1], match, stored)
  end
end
redis.call('SET', KEYS[2], ARGV[2])
return 1
