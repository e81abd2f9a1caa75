-- Writes results, scores and leaderboards, if as many leaves are counted as the caller has read.
-- All keys begin with KEYS[1], which has a hash tag, so they are in one slot.
-- KEYS  1 ratings     ARGV  1 old position  2 new position  3... steps of six: kind, game, and
--       'anew': nothing more; 'result': the result; 'score': entrant, member it has now or '', new member, score
-- Returns 1, or 0 if nothing was written.
local PAGE = 512
if (redis.call('HGET', KEYS[1], 'position') or '0') ~= ARGV[1] then
  return 0
end
for place = 3, #ARGV, 6 do
  local kind, game = ARGV[place], KEYS[1] .. ':' .. ARGV[place + 1]
  if kind == 'anew' then
    redis.call('DEL', game .. ':s', game .. ':z')
  elseif kind == 'result' then
    local count = redis.call('HINCRBY', KEYS[1], 'results:' .. ARGV[place + 1], 1)
    redis.call('RPUSH', game .. ':r:' .. math.floor((count - 1) / PAGE), ARGV[place + 2])
  else
    if ARGV[place + 3] ~= '' then
      redis.call('ZREM', game .. ':z', ARGV[place + 3])
    end
    redis.call('ZADD', game .. ':z', 0, ARGV[place + 4])
    redis.call('HSET', game .. ':s', ARGV[place + 2], ARGV[place + 5])
  end
end
redis.call('HSET', KEYS[1], 'position', ARGV[2])
return 1
