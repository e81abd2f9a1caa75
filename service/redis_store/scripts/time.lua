-- Returns the server's time in Unix milliseconds, or what stands in for it.
local function time(given)
  if given ~= '' then
    return tonumber(given)
  end
  local now = redis.call('TIME')
  return 1000 * tonumber(now[1]) + math.floor(tonumber(now[2]) / 1000)
end
