# Creates a Scid database from PGN: tkscid benches/scid/import.tcl GAMES.pgn BASE

lassign $argv games path
set base [sc_base create SCID4 $path]
sc_base import $base $games
puts "[sc_base numGames $base] games"
sc_base close $base
