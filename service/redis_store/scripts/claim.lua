-- Leases what is due and tells when the next entry comes due.
-- KEYS  agendas     ARGV  1 time, or '' for the server's  2 lease  3 limit
-- Returns {next or false, member, due, member, due ...}.
local now = time(ARGV[1])
local leased = string.format('%.0f', now + tonumber(ARGV[2]))
local left = tonumber(ARGV[3])
local answer = {false}
local next_ms
for _, agenda in ipairs(KEYS) do
  if left > 0 then
    local due = redis.call('ZRANGEBYSCORE', agenda, '-inf', string.format('%.0f', now), 'WITHSCORES', 'LIMIT', 0, left)
    for place = 1, #due, 2 do
      redis.call('ZADD', agenda, 'XX', leased, due[place])
      answer[#answer + 1] = due[place]
      answer[#answer + 1] = tonumber(due[place + 1])
      left = left - 1
    end
  end
  local first = redis.call('ZRANGE', agenda, 0, 0, 'WITHSCORES')[2]
  if first and (not next_ms or tonumber(first) < next_ms) then
    next_ms = tonumber(first)
  end
end
answer[1] = next_ms or false
return answer
