-- What wrk sends: the requests of a file in turn. Prints what bench/wrk.ts reads.

local requests = {}
local next = 0

function init(args)
  local file = assert(io.open(args[1], 'rb'))
  for request in file:read('*a'):gmatch('[^\1]+') do
    requests[#requests + 1] = request
  end
  file:close()
end

function request()
  next = next % #requests + 1
  return requests[next]
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format('LOAD %d %d %d', summary.requests, summary.duration, failed))
  for part = 1, 999 do
    io.write(' ', latency:percentile(part / 10))
  end
  io.write('\n')
end
