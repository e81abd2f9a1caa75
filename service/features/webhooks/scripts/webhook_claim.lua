-- Gives a dispatcher webhooks that are due, each with some of its due deliveries.
-- KEYS  1 webhooks     ARGV  1 dispatcher  2 now  3 now + lease  4 most webhooks  5 most deliveries of each
-- Returns {next or false, {webhook, untold or false, delivery, delivery ...}, ...}.
local answer = {false}
local due = string.format('(%.0f', tonumber(ARGV[2]) + 1)
for _, id in ipairs(redis.call('ZRANGEBYSCORE', at .. ':due', '-inf', due, 'LIMIT', 0, ARGV[4])) do
  local lost = redis.call('ZRANGE', of('flight', id), 0, -1, 'WITHSCORES')
  for place = 1, #lost, 2 do
    redis.call('ZADD', of('queue', id), lost[place + 1], lost[place])
  end
  redis.call('DEL', of('flight', id))
  local turn = {redis.call('HGET', at .. ':all', id), untold(id)}
  take(id, ARGV[2], redis.call('SISMEMBER', at .. ':failing', id) == 1 and 1 or ARGV[5], turn)
  if #turn > 2 then
    redis.call('ZADD', at .. ':busy', ARGV[3], id)
    redis.call('HSET', at .. ':couriers', id, ARGV[1])
    answer[#answer + 1] = turn
  else -- what was due was dropped, or sent by somebody whose lease had run out
    redis.call('ZREM', at .. ':busy', id)
    redis.call('HDEL', at .. ':couriers', id)
  end
  count(id)
  schedule(id)
end
local first = redis.call('ZRANGE', at .. ':due', 0, 0, 'WITHSCORES')[2]
answer[1] = first and math.floor(tonumber(first)) or false
return answer
