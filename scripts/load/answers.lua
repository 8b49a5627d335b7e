-- What wrk sends, and what it tells of every answer. scripts/load/wrk.py starts it and reads it.
--
-- Arguments: FILE CONTENT_TYPE THREADS RATE. FILE is the body of every request. RATE is how many requests a second all
-- connections together start, whatever becomes of them; 0 is as fast as answers come. With a RATE, or "each" as a
-- fifth argument, a line is printed for each answer: status, microseconds, Retry-After, Server-Timing. That asks for
-- one connection a thread, because wrk tells a script of an answer, but not on which of its connections.

local ffi = require("ffi")
ffi.cdef [[
  typedef struct { long seconds; long nanoseconds; } moment;
  int clock_gettime(int clock, moment *now);
]]
local CLOCK_MONOTONIC = 1
local moment = ffi.new("moment")

local function microseconds()
  ffi.C.clock_gettime(CLOCK_MONOTONIC, moment)
  return tonumber(moment.seconds) * 1e6 + tonumber(moment.nanoseconds) / 1e3
end

local threads = 0

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function init(args)
  local file = assert(io.open(args[1], "rb"))
  wrk.method, wrk.body = "POST", file:read("*a")
  file:close()
  wrk.headers["Content-Type"] = args[2]
  local count, rate = tonumber(args[3]), tonumber(args[4])
  if rate > 0 or args[5] == "each" then tell_each(rate, count) end
end

function tell_each(rate, count)
  local started, due = 0, nil
  if rate > 0 then
    -- wrk goes on with the rest of a body that was answered early, as if it were the next request: a
    -- connection of its own for each request keeps them apart.
    wrk.headers["Connection"] = "close"
    local period = count / rate * 1e6
    function delay()
      local now = microseconds()
      due = due and math.max(due + period, now) or now + period * number / count
      return math.floor((due - now) / 1e3)
    end
  end
  local text = wrk.format()
  function request()
    started = microseconds()
    return text
  end
  function response(status, headers)
    local took = microseconds() - started
    io.write(string.format("answer\t%d\t%d\t%s\t%s\n", status, took, headers["retry-after"] or "",
      headers["server-timing"] or ""))
  end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format("summary\t%d\t%d\t%d\t%d\t%d\t%d\n", summary.requests, summary.duration, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout, latency:percentile(50), latency:percentile(99)))
end
