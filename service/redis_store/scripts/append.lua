-- Writes what one command caused, as one step. Lua has no rollback: every check comes before the first write, and the first
-- XADD or SET is the only write that can fail.
-- KEYS  1 entries  2 head  3 written  4 log  5 deadlines  6 work  7 care  8 matches  9 reference  10 clock
--       11 openings
-- ARGV  1 expected version  2 expected chain  3 next chain  4 digest of the idempotency key  5 fingerprint  6 match
--       7 status  8 deadline or ''  9 work or ''  10 care or ''  11 lines kept in the log  12 '1': rewrite what a replay finds
--       13 version of the archive whose keys the caller has looked through, or ''  14 reference that stands for the first
--       entries, or ''  15 the caller's time, or '' if the server's does not matter  16 how far ahead  17 how far behind it may
--       be  18 channel to publish the new line of the shard's log on
--       19 who writes, for those who listen  20 how many of those who listen are the writer's own, 0 if it does not know
--       21... entries, or their number if a reference stands for them
-- Returns {'appended', first, last, position in the shard's log}, {'replayed', first, last}, {'conflict', actual version},
-- {'reused'}, {'forked'}, {'empty'}, {'archived'}: the keys of the match's archive must be looked through first, or {'clock'}:
-- the caller's time is not the server's, or what is planned has not been brought nearer yet since the clock was set back.
local OFFSET = 20
local referred = ARGV[14] ~= ''
local count = referred and tonumber(ARGV[OFFSET + 1]) or #ARGV - OFFSET
if count < 1 then
  return {'empty'}
end

local earlier = redis.call('HGET', KEYS[3], ARGV[4])
if earlier then
  local first, last, place = string.match(earlier, '^(%d+) (%d+) ()')
  if string.sub(earlier, place) ~= ARGV[5] then
    return {'reused'}
  end
  if ARGV[12] == '1' then -- WAIT counts only what was written on its own connection
    redis.call('HSET', KEYS[3], ARGV[4], earlier)
  end
  return {'replayed', tonumber(first), tonumber(last)}
end

if ARGV[15] ~= '' then
  local now, ahead = time(''), tonumber(ARGV[16])
  local late = now - tonumber(ARGV[15])
  if late < -ahead or late > tonumber(ARGV[17]) or tonumber(redis.call('GET', KEYS[10]) or '0') > now + ahead then
    return {'clock'}
  end
end

local head = redis.call('HMGET', KEYS[2], 'version', 'chain', 'archived')
if (head[3] or '') ~= ARGV[13] then
  return {'archived'}
end
local version = tonumber(head[1] or '0')
if version ~= tonumber(ARGV[1]) then
  return {'conflict', version}
end
if (head[2] or string.rep('\0', 32)) ~= ARGV[2] then
  return {'forked'}
end

local first, last = version + 1, version + count
local added
if referred then
  added = redis.pcall('SET', KEYS[9], ARGV[14])
else
  added = redis.pcall('XADD', KEYS[1], string.format('0-%d', first), 'e', ARGV[OFFSET + 1])
end
if type(added) == 'table' and added.err then
  if string.find(added.err, 'equal or smaller', 1, true) then -- the stream is ahead of its head
    return {'forked'}
  end
  return added
end
for number = 2, referred and 0 or count do
  redis.call('XADD', KEYS[1], string.format('0-%d', version + number), 'e', ARGV[OFFSET + number])
end
redis.call('HSET', KEYS[2], 'version', last, 'chain', ARGV[3], 'status', ARGV[7])
redis.call('HSET', KEYS[3], ARGV[4], string.format('%d %d ', first, last) .. ARGV[5])
local line = redis.call('XADD', KEYS[4], 'MAXLEN', '~', ARGV[11], '*', 'm', ARGV[6], 'v', last)
for place = 8, 10 do
  if ARGV[place] == '' then
    redis.call('ZREM', KEYS[place - 3], ARGV[6])
  else
    redis.call('ZADD', KEYS[place - 3], ARGV[place], ARGV[6])
  end
end
if version == 0 then
  redis.call('RPUSH', KEYS[8], ARGV[6])
  redis.call('ZADD', KEYS[11], 0, ARGV[6])
end
local heard = ARGV[20] ~= '0' and redis.pcall('PUBSUB', 'NUMSUB', ARGV[18])
if ARGV[18] ~= '' and (not heard or heard.err or heard[2] > tonumber(ARGV[20])) then -- not every user of a server may do either
  redis.pcall('PUBLISH', ARGV[18], string.format('%s %s %s %d %s', KEYS[4], line, ARGV[6], last, ARGV[19]))
end
return {'appended', first, last, line}
