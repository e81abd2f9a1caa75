-- Adds notices that are neither waiting nor done.
-- KEYS  1 notices     ARGV  1 up to when those that are done are forgotten  2 how many may wait  3... steps of four: id, when due, notice, due or due-mail
-- Returns for how many there was no room.
local at = KEYS[1]
redis.call('ZREMRANGEBYSCORE', at .. ':done', '-inf', ARGV[1])
local left_out = 0
for place = 3, #ARGV, 4 do
  local id, due, notice, queue = unpack(ARGV, place, place + 3)
  if not redis.call('ZSCORE', at .. ':done', id) and not redis.call('ZSCORE', at .. ':' .. queue, id) then
    if redis.call('ZCARD', at .. ':due') + redis.call('ZCARD', at .. ':due-mail') >= tonumber(ARGV[2]) then
      left_out = left_out + 1
    else
      redis.call('HSET', at .. ':waiting', id, notice)
      redis.call('ZADD', at .. ':' .. queue, due, id)
    end
  end
end
return left_out
