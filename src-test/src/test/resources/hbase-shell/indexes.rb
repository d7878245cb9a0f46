# The commands of deli.rb, on a table of their own. The table of writes.rb is T.
require 'deli'
create T + 'i', 'f'
put T + 'i', 'old', 'f:n', "\x00\x00\x00\x0B"
deli_create_index T + 'i', 'by_n', 'f:n', TYPE => 'INT', BUILD => true
put T + 'i', 'new', 'f:n', "\x00\x00\x00\x0C", 7
deli_indexes T + 'i'
found = deli_query T + 'i', 'by_n', AFTER => 11, TO => 12, COLUMNS => ['f:n']
puts "FOUND #{found}"
begin
  deli_query T + 'i', 'by_n', EQUAL => 11, 'LIMITS' => 1
rescue => e
  puts "REFUSED #{e}"
end
deli_verify T + 'i', 'by_n'
deli_collect T + 'i'
deli_disable_index T + 'i', 'by_n'
deli_build_index T + 'i', 'by_n'
deli_drop_index T + 'i', 'by_n'
left = deli_indexes T + 'i'
puts "LEFT #{left}"

