
-- Adds notices to inboxes that are there; what an inbox has had of a line is left out. A notice of no line has an empty one.
-- KEYS  1 inboxes     ARGV  1 now  2 room of each  3 room in all  4... steps of five: player, shard, line, when due, bodies
for place = 4, #ARGV, 5 do
  local player, shard, line, due, bodies = unpack(ARGV, place, place + 4)
  local head = of('head', player)
  if redis.call('EXISTS', head) == 1 and (line == '' or line > (redis.call('HGET', head, 's' .. shard) or '')) then
    if line ~= '' then
      redis.call('HSET', head, 's' .. shard, line)
    end
    if tonumber(due) > tonumber(ARGV[1]) then
      redis.call('ZADD', at .. ':late', due, cmsgpack.pack({player, shard, line, bodies}))
    else
      append(player, bodies, ARGV[2], ARGV[3])
    end
  end
end
if redis.call('ZCARD', at .. ':late') > tonumber(ARGV[3]) then
  redis.call('DEL', at .. ':late')
  for _, player in ipairs(redis.call('ZRANGE', at .. ':until', 0, -1)) do
    remove(player)
  end
end
return 1
