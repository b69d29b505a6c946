# Asks Scid for the positions of a list, and compares hits and times.
#
#     tkscid benches/scid/positions.tcl BASE FENS
#
# BASE is a database of Scid (without the ending .si4) of the games that the archive
# holds: tkscid benches/scid/import.tcl GAMES.pgn BASE makes it. FENS is the list that
# `cargo bench --bench queries -- ARCHIVE FENS` has written, with the hits and times of
# pgna. The database is open; of three searches the shortest counts, as there.

lassign $argv path list
set base [sc_base open $path]
puts "[sc_base numGames $base] games"

set others {}
set file [open $list]
while {[gets $file line] >= 0} {
    lassign [split $line "\t"] kind fen hits ours
    sc_game new
    if {[catch {sc_game startBoard $fen} error]} {
        puts "$fen: $error"
        continue
    }
    set best Inf
    for {set round 0} {$round < 3} {incr round} {
        set start [clock microseconds]
        sc_search board RESET E 0 0
        set best [expr {min($best, ([clock microseconds] - $start) / 1000.0)}]
    }
    if {[sc_filter count] != $hits} {
        lappend others "$fen: [sc_filter count] hits, pgna has $hits"
    }
    lappend theirs($kind) $best
    lappend times($kind) $ours
    lappend ratios($kind) [expr {$ours / $best}]
    if {$kind ni [lappend kinds]} {
        lappend kinds $kind
    }
}

proc median {values} {
    lindex [lsort -real $values] [expr {[llength $values] / 2}]
}

puts "kind      positions  Scid ms  pgna ms  median ratio"
foreach kind $kinds {
    puts [format "%-8s %10d %8.2f %8.2f %13.2f" $kind [llength $times($kind)] \
        [median $theirs($kind)] [median $times($kind)] [median $ratios($kind)]]
}
puts "[llength $others] positions with other hits"
foreach other $others {
    puts $other
}
