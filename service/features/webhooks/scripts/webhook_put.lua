-- Writes a webhook if the one before is the one that the caller has read, and a new one if its player may have it.
-- One that stands there as it is counts as written: a lost reply makes the caller ask again.
-- KEYS  1 webhooks     ARGV  1 id  2 revision  3 player  4 '1' if it is paused, or ''  5 '1' if it has failures, or ''  6 record
--                            7 how many the player may have, or ''
-- Returns 1, or 0 if nothing was written.
local id = ARGV[1]
local held = tonumber(redis.call('HGET', at .. ':revisions', id) or '0')
if held == tonumber(ARGV[2]) and redis.call('HGET', at .. ':all', id) == ARGV[6] then
  return 1
end
if held ~= tonumber(ARGV[2]) - 1 then
  return 0
end
if held == 0 and ARGV[7] ~= '' and redis.call('SCARD', at .. ':of:' .. ARGV[3]) >= tonumber(ARGV[7]) then
  return 0
end
redis.call('HSET', at .. ':revisions', id, ARGV[2])
redis.call('HSET', at .. ':all', id, ARGV[6])
redis.call('SADD', at .. ':of:' .. ARGV[3], id)
redis.call('SADD', at .. ':owners', ARGV[3])
redis.call(ARGV[4] == '1' and 'SADD' or 'SREM', at .. ':paused', id)
redis.call(ARGV[5] == '1' and 'SADD' or 'SREM', at .. ':failing', id)
schedule(id)
return 1
