-- Replaces a delivery that is still in the log, and unless it is being sent just now, queues it for a time or ends it.
-- KEYS  1 webhooks     ARGV  1 webhook  2 most in a log  3 delivery  4 time or ''  5 weight  6 match  7 since  8 record
local id, kept, delivery, time, weight, match, since, record = unpack(ARGV)
if redis.call('HEXISTS', of('deliveries', id), delivery) == 0 then
  return 0
end
redis.call('HSET', of('deliveries', id), delivery, record)
if redis.call('ZSCORE', of('flight', id), delivery) then
  return 1
end
if time == '' then
  finish(id, delivery, match, kept)
else
  redis.call('ZREM', of('done', id), delivery)
  queue(id, delivery, time)
  rank(id, delivery, weight, match, since)
end
count(id)
schedule(id)
return 1
