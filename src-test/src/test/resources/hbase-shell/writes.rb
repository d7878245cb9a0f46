# Every write that the shell has, each to rows of its own. The table is T.
put T, 'put', 'f:q', 'v1'
put T, 'put', 'f:q', 'v2'
put T, 'stamped', 'f:q', 'v1', 7
put T, 'living', 'f:q', 'v1', {TTL => 86400000}
get_table(T).put 'object', 'f:q', 'v1'

%w[latest exact older familyVersion].each do |row|
  put T, row, 'f:q', 'v1', 1
  put T, row, 'f:q', 'v2', 2
end
delete T, 'latest', 'f:q'
delete T, 'exact', 'f:q', 2
deleteall T, 'older', 'f:q', 1
delete T, 'familyVersion', 'f', 2

%w[column row many1 many2].each { |row| put T, row, 'f:q', 'v1' }
deleteall T, 'column', 'f:q'
deleteall T, 'row'
deleteall T, {ROWPREFIXFILTER => 'many'}

put T, 'incremented', 'f:q', 'v1'
incr T, 'incremented', 'f:n', 5
put T, 'appended', 'f:q', 'v1'
append T, 'appended', 'f:o', 'x'

# What clients refuse that maintain the index, as the shell tells it. The last, no number any more
# where servers maintain it, is not caught.
begin
  append T, 'put', 'f:q', 'x'
rescue => e
  puts "REFUSED #{e}"
end
get T, 'put'
count T
incr T, 'put', 'f:q'
put T, 'put', 'f:q', 'not reached'
