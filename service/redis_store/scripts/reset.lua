-- Forgets the rows of a shard, its indexes (which hold nothing but those rows) and its checkpoint.
-- KEYS  1 rows  2 checkpoint
for _, stored in ipairs(redis.call('HVALS', KEYS[1])) do
  for _, name in ipairs(cmsgpack.unpack((struct.unpack('>I4c0', stored)))[2]) do
    redis.call('DEL', KEYS[1] .. ':' .. name)
  end
end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[1] .. ':again')
return 1
