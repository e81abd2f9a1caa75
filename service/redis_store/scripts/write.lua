-- Carries out one command.     KEYS  1 key     ARGV  1 command  2... its arguments after the key
return redis.call(table.remove(ARGV, 1), KEYS[1], unpack(ARGV))
