-- Notes attempts, and hands out what is to be sent next.
-- KEYS  1 webhooks     ARGV  1 dispatcher  2 webhook  3 now  4 most deliveries  5 most in a log  6 how many are still being sent
--                            7... those, then steps of seven: delivery, time or '', weight, match, since, of how many drops its
--                            receiver has been told, record
-- Returns {webhook, untold or false, delivery, delivery ...}, or false if this dispatcher is to send no more of it.
local id, sending = ARGV[2], {}
local record = redis.call('HGET', at .. ':all', id)
if not record then
  return false
end
local held = redis.call('HGET', at .. ':couriers', id) == ARGV[1]
local last = 6 + tonumber(ARGV[6])
for place = 7, last do
  sending[ARGV[place]] = true
end
for place = last + 1, #ARGV, 7 do
  local delivery, time, weight, match, since, told, tried = unpack(ARGV, place, place + 6)
  local flying = redis.call('ZSCORE', of('flight', id), delivery)
  if flying and (held or time == '') or redis.call('ZSCORE', of('queue', id), delivery) then
    redis.call('HSET', of('deliveries', id), delivery, tried)
    redis.call('ZREM', of('flight', id), delivery)
    if time == '' then
      finish(id, delivery, match, ARGV[5])
    else
      queue(id, delivery, time)
      rank(id, delivery, weight, match, since)
    end
  end
  if tonumber(told) > tonumber(redis.call('HGET', of('dropped', id), 'told') or '0') then
    redis.call('HSET', of('dropped', id), 'told', told)
  end
end
local turn = {record, untold(id)}
local goes_on = held and redis.call('SISMEMBER', at .. ':paused', id) == 0
if held then
  local flight = redis.call('ZRANGE', of('flight', id), 0, -1, 'WITHSCORES')
  for place = 1, #flight, 2 do
    if not sending[flight[place]] then -- an answer that told the dispatcher of it was lost
      redis.call('ZREM', of('flight', id), flight[place])
      redis.call('ZADD', of('queue', id), flight[place + 1], flight[place])
    end
  end
  take(id, ARGV[3], goes_on and ARGV[4] or 0, turn)
  if redis.call('ZCARD', of('flight', id)) == 0 then
    redis.call('ZREM', at .. ':busy', id)
    redis.call('HDEL', at .. ':couriers', id)
  end
end
count(id)
schedule(id)
return goes_on and turn
