-- Lets a dispatcher hold for longer what it holds.
-- KEYS  1 webhooks     ARGV  1 dispatcher  2 until  3... webhooks
for place = 3, #ARGV do
  local id = ARGV[place]
  if redis.call('HGET', at .. ':couriers', id) == ARGV[1] then
    redis.call('ZADD', at .. ':busy', ARGV[2], id)
    schedule(id)
  end
end
return 1
