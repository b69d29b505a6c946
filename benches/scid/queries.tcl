# Runs the queries of a list (positions, players and ratings) in Scid, and compares hits
# and times.
#
#     tkscid benches/scid/queries.tcl BASE LIST
#
# BASE is a Scid database (without the suffix .si4) of the games of the archive:
# `tkscid benches/scid/import.tcl GAMES.pgn BASE` creates it. LIST is the output of
# `cargo bench --bench queries -- ARCHIVE LIST`, with the hits and times of pgna. The
# database is open; the minimum of three searches counts, as there.

lassign $argv path list
set base [sc_base open $path]
puts "[sc_base numGames $base] games"

# `what` is a list of options of `sc_filter`.
proc header {what} {
    global base
    sc_filter search $base dbfilter header -filter RESET {*}$what
}

proc ask {kind what} {
    switch $kind {
        white {
            header [list -white $what]
        }
        player {
            # Either side takes two searches.
            header [list -white $what]
            set white [sc_filter count]
            header [list -black $what]
            return [expr {$white + [sc_filter count]}]
        }
        ratings {
            lassign $what low high first last
            header [list -welo [list $low $high] -eco [list $first $last]]
        }
        default {
            sc_search board RESET E 0 0
        }
    }
    sc_filter count
}

set others {}
set kinds {}
set file [open $list]
while {[gets $file line] >= 0} {
    lassign [split $line "\t"] kind what hits ours
    if {$kind ni {white player ratings}} {
        sc_game new
        if {[catch {sc_game startBoard $what} error]} {
            puts "$what: $error"
            continue
        }
    }
    set best Inf
    for {set round 0} {$round < 3} {incr round} {
        set start [clock microseconds]
        set count [ask $kind $what]
        set best [expr {min($best, ([clock microseconds] - $start) / 1000.0)}]
    }
    if {$count != $hits} {
        lappend others "$what: $count hits, pgna has $hits"
    }
    lappend theirs($kind) $best
    lappend times($kind) $ours
    lappend ratios($kind) [expr {$ours / $best}]
    if {$kind ni $kinds} {
        lappend kinds $kind
    }
}

proc median {values} {
    lindex [lsort -real $values] [expr {[llength $values] / 2}]
}

puts "kind      questions  Scid ms  pgna ms  median ratio"
foreach kind $kinds {
    puts [format "%-8s %10d %8.2f %8.2f %13.2f" $kind [llength $times($kind)] \
        [median $theirs($kind)] [median $times($kind)] [median $ratios($kind)]]
}
puts "[llength $others] questions with other hits"
foreach other $others {
    puts $other
}
