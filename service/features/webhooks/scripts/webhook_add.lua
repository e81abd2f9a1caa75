-- Adds deliveries that are not there yet, and drops what there is no room for.
-- KEYS  1 webhooks     ARGV  1 now  2 room of each  3 room in all  4... steps of seven: webhook, delivery, time, weight, match,
--                            since, record
local touched = {}
for place = 4, #ARGV, 7 do
  local id, delivery, time, weight, match, since, record = unpack(ARGV, place, place + 6)
  if redis.call('HEXISTS', at .. ':all', id) == 1 and redis.call('HSETNX', of('deliveries', id), delivery, record) == 1 then
    redis.call('ZADD', of('log', id), redis.call('HINCRBY', at .. ':counts', id, 1), delivery)
    queue(id, delivery, time)
    if tonumber(weight) == QUESTION or tonumber(weight) == LIFE then
      close_question(id, match)
    end
    if tonumber(weight) == QUESTION then
      redis.call('HSET', of('questions', id), match, delivery)
    end
    rank(id, delivery, weight, match, since)
    touched[id] = true
  end
end
for id in pairs(touched) do
  count(id)
  while tonumber(redis.call('ZSCORE', at .. ':waiting', id) or '0') > tonumber(ARGV[2]) and drop_least(id, ARGV[1]) do
    count(id)
  end
  schedule(id)
end
while tonumber(redis.call('GET', at .. ':total') or '0') > tonumber(ARGV[3]) do
  local id = redis.call('ZREVRANGE', at .. ':waiting', 0, 0)[1]
  if not id or not drop_least(id, ARGV[1]) then
    break
  end
  count(id)
  schedule(id)
end
return 1
