-- Writes results, scores and leaderboards, if as many leaves are counted as the caller has read.
-- All keys begin with KEYS[1], which has a hash tag, so they are in one slot.
-- KEYS  1 ratings     ARGV  1 old position  2 new position  3... steps of seven: kind, game, and
--       'restart': nothing more; 'result': the result; 'points': entrant, its newest points;
--       'score': entrant, member it has now or '', new member, score, leaderboard
-- Returns 1, or 0 if nothing was written.
local PAGE = 512
local KINDS = { ':people', ':programs', ':bots' }
if (redis.call('HGET', KEYS[1], 'position') or '0') ~= ARGV[1] then
  return 0
end
for place = 3, #ARGV, 7 do
  local kind, game = ARGV[place], KEYS[1] .. ':' .. ARGV[place + 1]
  if kind == 'restart' then
    redis.call('DEL', game .. ':h', game .. ':s', game .. ':z', game .. ':z:people', game .. ':z:programs', game .. ':z:bots')
  elseif kind == 'result' then
    local count = redis.call('HINCRBY', KEYS[1], 'results:' .. ARGV[place + 1], 1)
    redis.call('RPUSH', game .. ':r:' .. math.floor((count - 1) / PAGE), ARGV[place + 2])
  elseif kind == 'points' then
    redis.call('HSET', game .. ':h', ARGV[place + 2], ARGV[place + 3])
  else
    if ARGV[place + 3] ~= '' then
      redis.call('ZREM', game .. ':z', ARGV[place + 3])
      for _, each in ipairs(KINDS) do
        redis.call('ZREM', game .. ':z' .. each, ARGV[place + 3])
      end
    end
    redis.call('ZADD', game .. ':z', 0, ARGV[place + 4])
    redis.call('ZADD', game .. ':z:' .. ARGV[place + 6], 0, ARGV[place + 4])
    redis.call('HSET', game .. ':s', ARGV[place + 2], ARGV[place + 5])
  end
end
redis.call('HSET', KEYS[1], 'position', ARGV[2])
return 1
