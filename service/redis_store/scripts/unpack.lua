-- Puts an archived match back into log and keys, as if it had never been archived.
-- KEYS  1 head  2 staged  3 archive  4 entries  5 written  6 care  7 reference  8 leftovers
-- ARGV  1 version  2 chain  3 archived version  4 match  5 time of the next care  6 number of entries  7... entries, then digest
--       and value of each key
-- Returns 1, or 0 if nothing was changed.
local OFFSET = 6
local head = redis.call('HMGET', KEYS[1], 'version', 'chain', 'archived', 'outside')
if head[1] ~= ARGV[1] or head[2] ~= ARGV[2] or head[3] ~= ARGV[3] then
  return 0
end
local count = tonumber(ARGV[6])
redis.call('DEL', KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[7])
for number = 1, count do
  redis.call('XADD', KEYS[4], string.format('0-%d', number), 'e', ARGV[OFFSET + number])
end
for place = OFFSET + count + 1, #ARGV, 2 do
  redis.call('HSET', KEYS[5], ARGV[place], ARGV[place + 1])
end
redis.call('HDEL', KEYS[1], 'archived', 'outside')
if head[4] then
  redis.call('ZADD', KEYS[8], time(''), ARGV[4] .. '/' .. head[4])
end
redis.call('ZADD', KEYS[6], ARGV[5], ARGV[4])
return 1
