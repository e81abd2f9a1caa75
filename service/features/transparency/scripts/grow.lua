-- Adds leaves to the log over all matches, if it has the expected size and none of the leaves.
-- All keys begin with KEYS[1], which has a hash tag, so they are in one slot.
-- KEYS  1 tree     ARGV  1 expected size  2 new size  3 root  4 time  5 number of index entries  6 number of leaves
--       7... index entries: bucket, match, old value or '', new value; then leaves: page, leaf; then nodes: page, offset, bytes
-- Returns 1, or 0 if nothing was written.
local OFFSET = 6
if (redis.call('HGET', KEYS[1], 'size') or '0') ~= ARGV[1] then
  return 0
end
local indexed = OFFSET + 4 * tonumber(ARGV[5])
for place = OFFSET + 1, indexed, 4 do
  if (redis.call('HGET', KEYS[1] .. ':i:' .. ARGV[place], ARGV[place + 1]) or '') ~= ARGV[place + 2] then
    return 0
  end
end
for place = OFFSET + 1, indexed, 4 do
  redis.call('HSET', KEYS[1] .. ':i:' .. ARGV[place], ARGV[place + 1], ARGV[place + 3])
end
local leaves = indexed + 2 * tonumber(ARGV[6])
for place = indexed + 1, leaves, 2 do
  redis.call('RPUSH', KEYS[1] .. ':l:' .. ARGV[place], ARGV[place + 1])
end
for place = leaves + 1, #ARGV, 3 do
  redis.call('SETRANGE', KEYS[1] .. ':n:' .. ARGV[place], ARGV[place + 1], ARGV[place + 2])
end
redis.call('HSET', KEYS[1], 'size', ARGV[2], 'root', ARGV[3], 'time', ARGV[4])
return 1
