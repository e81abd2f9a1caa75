-- Forgets all ratings.     KEYS  1 ratings, with which all other keys begin, in one slot
local PAGE = 512
local fields = redis.call('HGETALL', KEYS[1])
for place = 1, #fields, 2 do
  local name = string.match(fields[place], '^results:(.*)$')
  if name then
    local game = KEYS[1] .. ':' .. name
    redis.call('DEL', game .. ':h', game .. ':s', game .. ':z', game .. ':z:people', game .. ':z:programs', game .. ':z:bots')
    for page = 0, math.floor((tonumber(fields[place + 1]) - 1) / PAGE) do
      redis.call('DEL', game .. ':r:' .. page)
    end
  end
end
redis.call('DEL', KEYS[1])
return 1
