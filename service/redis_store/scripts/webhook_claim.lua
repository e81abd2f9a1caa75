-- Leases webhooks that are due, each with some of its due deliveries.
-- KEYS  1 webhooks     ARGV  1 now  2 now + lease  3 most webhooks  4 most deliveries of each
-- Returns {next or false, {webhook, delivery, delivery ...}, ...}.
local at = KEYS[1]
local answer = {false}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', at .. ':due', '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])) do
  local queue = at .. ':queue:' .. id
  local turn = {redis.call('HGET', at .. ':all', id)}
  for _, delivery in ipairs(redis.call('ZRANGEBYSCORE', queue, '-inf', ARGV[1], 'LIMIT', 0, ARGV[4])) do
    redis.call('ZADD', queue, ARGV[2], delivery)
    turn[#turn + 1] = redis.call('HGET', at .. ':deliveries:' .. id, delivery)
  end
  if #turn > 1 then
    redis.call('ZADD', at .. ':due', ARGV[2], id)
    redis.call('ZADD', at .. ':busy', ARGV[2], id)
    answer[#answer + 1] = turn
  else -- what was due has made room, or was sent by somebody whose lease had run out
    redis.call('ZREM', at .. ':busy', id)
    local first = redis.call('ZRANGE', queue, 0, 0, 'WITHSCORES')[2]
    if first then
      redis.call('ZADD', at .. ':due', first, id)
    else
      redis.call('ZREM', at .. ':due', id)
    end
  end
end
local first = redis.call('ZRANGE', at .. ':due', 0, 0, 'WITHSCORES')[2]
answer[1] = first and tonumber(first) or false
return answer
