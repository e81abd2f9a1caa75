-- What the scripts of the webhooks share; they are appended to this file.
-- All keys begin with KEYS[1], which has a hash tag, so they are in one slot. Of a webhook there are its log, its deliveries, the
-- queue of those that wait, the flight of those that are being sent, the done ones, the order in which the waiting ones are
-- dropped, the open question of each match, and what was dropped. `waiting` counts queue and flight of each, `total` those of all.
local at = KEYS[1]
local WEIGHT = 4398046511104 -- more than any time in milliseconds, so that a score has both
local OVER, QUESTION, LIFE = 0, 1, 3 -- a question that is over, one that is not, and what is dropped last

local function of(part, id)
  return at .. ':' .. part .. ':' .. id
end

local function waits(id, delivery)
  return redis.call('ZSCORE', of('queue', id), delivery) or redis.call('ZSCORE', of('flight', id), delivery)
end

local function erase(id, delivery)
  redis.call('ZREM', of('log', id), delivery)
  redis.call('HDEL', of('deliveries', id), delivery)
end

-- Notes how many deliveries of a webhook wait.
local function count(id)
  local now = redis.call('ZCARD', of('queue', id)) + redis.call('ZCARD', of('flight', id))
  local before = tonumber(redis.call('ZSCORE', at .. ':waiting', id) or '0')
  redis.call('INCRBY', at .. ':total', now - before)
  if now > 0 then
    redis.call('ZADD', at .. ':waiting', now, id)
  else
    redis.call('ZREM', at .. ':waiting', id)
    redis.call('DEL', of('questions', id))
  end
end

-- Makes a webhook due when its lease ends, or else with its next delivery, unless it is paused.
local function schedule(id)
  local first = redis.call('ZSCORE', at .. ':busy', id) or redis.call('ZRANGE', of('queue', id), 0, 0, 'WITHSCORES')[2]
  if first and redis.call('SISMEMBER', at .. ':paused', id) == 0 then
    redis.call('ZADD', at .. ':due', first, id)
  else
    redis.call('ZREM', at .. ':due', id)
  end
end

-- Ranks a delivery that waits by its weight and its age.
local function rank(id, delivery, weight, match, since)
  weight = tonumber(weight)
  if weight == QUESTION and redis.call('HGET', of('questions', id), match) ~= delivery then
    weight = OVER
  end
  redis.call('ZADD', of('ranks', id), weight * WEIGHT + tonumber(since), delivery)
end

-- Ends the open question of a match.
local function close_question(id, match)
  local open = redis.call('HGET', of('questions', id), match)
  local score = open and tonumber(redis.call('ZSCORE', of('ranks', id), open) or '0')
  if score and score >= QUESTION * WEIGHT then
    redis.call('ZADD', of('ranks', id), score - WEIGHT, open)
  end
  redis.call('HDEL', of('questions', id), match)
end

local function drop(id, delivery, now)
  local dropped = of('dropped', id)
  erase(id, delivery)
  redis.call('ZREM', of('queue', id), delivery)
  redis.call('ZREM', of('ranks', id), delivery)
  redis.call('HINCRBY', dropped, 'count', 1)
  redis.call('HSETNX', dropped, 'first', now)
  redis.call('HSET', dropped, 'last', now)
end

-- Drops the delivery that is missed least; false if none can be.
local function drop_least(id, now)
  local least = redis.call('ZRANGE', of('ranks', id), 0, 0)[1]
  if least then
    drop(id, least, now)
  end
  return least
end

-- Takes a delivery that is over from what waits; the oldest of those that are over make room.
local function finish(id, delivery, match, kept)
  local log, done = of('log', id), of('done', id)
  redis.call('ZREM', of('queue', id), delivery)
  redis.call('ZREM', of('flight', id), delivery)
  redis.call('ZREM', of('ranks', id), delivery)
  if redis.call('HGET', of('questions', id), match) == delivery then
    redis.call('HDEL', of('questions', id), match)
  end
  redis.call('ZADD', done, redis.call('ZSCORE', log, delivery), delivery)
  while redis.call('ZCARD', done) > tonumber(kept) do
    local oldest = redis.call('ZRANGE', log, 0, 0)[1]
    if waits(id, oldest) then
      oldest = redis.call('ZRANGE', done, 0, 0)[1]
    end
    redis.call('ZREM', done, oldest)
    erase(id, oldest)
  end
end

-- Lets a delivery wait until a time; those of one millisecond keep the order in which they were added.
local function queue(id, delivery, time)
  local place = tonumber(redis.call('ZSCORE', of('log', id), delivery))
  redis.call('ZADD', of('queue', id), tonumber(time) + place % 4096 / 4096, delivery)
end

-- Moves deliveries that are due from the queue into the flight, and appends their records.
local function take(id, now, most, records)
  if tonumber(most) < 1 then
    return
  end
  local due = string.format('(%.0f', tonumber(now) + 1)
  local found = redis.call('ZRANGEBYSCORE', of('queue', id), '-inf', due, 'WITHSCORES', 'LIMIT', 0, most)
  for place = 1, #found, 2 do
    redis.call('ZREM', of('queue', id), found[place])
    redis.call('ZREM', of('ranks', id), found[place])
    redis.call('ZADD', of('flight', id), found[place + 1], found[place])
    records[#records + 1] = redis.call('HGET', of('deliveries', id), found[place])
  end
end

-- Returns {how many, first, last} of the drops of which no receiver knows, or false.
local function untold(id)
  local found = redis.call('HMGET', of('dropped', id), 'count', 'first', 'last', 'told')
  if tonumber(found[1] or '0') <= tonumber(found[4] or '0') then
    return false
  end
  return {tonumber(found[1]), tonumber(found[2]), tonumber(found[3])}
end

