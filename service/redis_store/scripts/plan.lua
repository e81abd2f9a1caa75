-- Moves an existing entry of an agenda. If the caller's clock is ahead, which it is for a moment after the server's was set back,
-- the entry is brought nearer by as much.
-- KEYS  1 agenda     ARGV  1 match  2 time  3 'GT': only to a later time, or ''  4 the caller's time  5 how far ahead it may be
local ahead = tonumber(ARGV[4]) - time('')
local at = tonumber(ARGV[2])
if ahead > tonumber(ARGV[5]) then
  at = at - ahead
end
local score = string.format('%.0f', at)
if ARGV[3] == 'GT' then
  return redis.call('ZADD', KEYS[1], 'XX', 'GT', score, ARGV[1])
end
return redis.call('ZADD', KEYS[1], 'XX', score, ARGV[1])
