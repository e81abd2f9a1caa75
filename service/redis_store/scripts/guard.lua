-- Goes before every script: refuses to touch the data of another deployment. The caller's last argument is the sha1 of its id
-- key, or ''.
local deployment = table.remove(ARGV)
if deployment ~= '' and redis.sha1hex(redis.call('HGET', 'deployment', 'id_key') or '') ~= deployment then
  return redis.error_reply('REPLACED the data is that of another deployment')
end
