-- Writes a webhook if the one before is the one that the caller has read, and a new one if its player may have it.
-- One that stands there as it is counts as written: a lost reply makes the caller ask again.
-- All keys begin with KEYS[1], which has a hash tag, so they are in one slot.
-- KEYS  1 webhooks     ARGV  1 id  2 revision  3 player  4 '1' if it is paused, or ''  5 record  6 how many the player may have, or ''
-- Returns 1, or 0 if nothing was written.
local at, id = KEYS[1], ARGV[1]
local held = tonumber(redis.call('HGET', at .. ':revisions', id) or '0')
if held == tonumber(ARGV[2]) and redis.call('HGET', at .. ':all', id) == ARGV[5] then
  return 1
end
if held ~= tonumber(ARGV[2]) - 1 then
  return 0
end
if held == 0 and ARGV[6] ~= '' and redis.call('SCARD', at .. ':of:' .. ARGV[3]) >= tonumber(ARGV[6]) then
  return 0
end
redis.call('HSET', at .. ':revisions', id, ARGV[2])
redis.call('HSET', at .. ':all', id, ARGV[5])
redis.call('SADD', at .. ':of:' .. ARGV[3], id)
redis.call('SADD', at .. ':owners', ARGV[3])
if ARGV[4] == '1' then
  redis.call('SADD', at .. ':paused', id)
  redis.call('ZREM', at .. ':due', id)
  return 1
end
redis.call('SREM', at .. ':paused', id)
local first = redis.call('ZSCORE', at .. ':busy', id) or redis.call('ZRANGE', at .. ':queue:' .. id, 0, 0, 'WITHSCORES')[2]
if first then
  redis.call('ZADD', at .. ':due', first, id)
end
return 1
