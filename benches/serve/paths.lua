-- For wrk: asks the paths of the file PATHS in turn, each thread and connection from another on.

local paths = {}
for path in io.lines(os.getenv("PATHS")) do
  paths[#paths + 1] = path
end

local threads = 0

function setup(thread)
  thread:set("first", threads * 997)
  threads = threads + 1
end

function request()
  first = first + 1
  return wrk.format("GET", paths[first % #paths + 1])
end
