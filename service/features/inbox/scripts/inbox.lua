-- What the scripts of the inboxes share; they are appended to this file.
-- All keys begin with KEYS[1], which has a hash tag, so they are in one slot. Of an inbox there are its head (chain, the digits
-- of the chain before its first notice, and up to which line of each shard it has had notices) and its notices, each behind the
-- digits of the chain after it. `ends` counts what each inbox has had, `until` and `since` say how long each is kept and since
-- when it is there, `sizes` and `total` how many notices are kept, `late` has what becomes visible later.
local at = KEYS[1]
local DIGITS = 8

local function of(part, player)
  return at .. ':' .. part .. ':' .. player
end

local function drop_first(player)
  local first = redis.call('LPOP', of('items', player))
  if not first then
    redis.call('ZREM', at .. ':sizes', player)
    return false
  end
  redis.call('HSET', of('head', player), 'floor', string.sub(first, 1, DIGITS))
  redis.call('ZINCRBY', at .. ':sizes', -1, player)
  redis.call('DECR', at .. ':total')
  return true
end

local function append(player, bodies, each, in_all)
  local head, list = of('head', player), of('items', player)
  local chain = redis.call('HGET', head, 'chain')
  for _, body in ipairs(cmsgpack.unpack(bodies)) do
    chain = redis.sha1hex(chain .. body)
    redis.call('RPUSH', list, string.sub(chain, 1, DIGITS) .. body)
    redis.call('HINCRBY', at .. ':ends', player, 1)
    redis.call('ZINCRBY', at .. ':sizes', 1, player)
    redis.call('INCR', at .. ':total')
  end
  redis.call('HSET', head, 'chain', chain)
  while redis.call('LLEN', list) > tonumber(each) do
    drop_first(player)
  end
  while tonumber(redis.call('GET', at .. ':total')) > tonumber(in_all) do
    local longest = redis.call('ZREVRANGE', at .. ':sizes', 0, 0)[1]
    if not longest then
      break
    end
    drop_first(longest)
  end
end

local function remove(player)
  redis.call('DECRBY', at .. ':total', redis.call('LLEN', of('items', player)))
  redis.call('DEL', of('head', player), of('items', player))
  redis.call('HDEL', at .. ':ends', player)
  redis.call('HDEL', at .. ':since', player)
  redis.call('ZREM', at .. ':until', player)
  redis.call('ZREM', at .. ':sizes', player)
end
