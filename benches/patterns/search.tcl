# Asks Scid the questions of a list: tkscid benches/patterns/search.tcl BASE LIST ROUNDS
#
# BASE is a Scid database (without the suffix .si4). A line of LIST is `material` with options of
# `sc_search material`, or `header` with those of `sc_filter search … header`. The database is open;
# only the search is timed, the least of the rounds counts. Prints for each question hits, seconds,
# and seconds of the processor. With `games` instead of ROUNDS, prints the numbers of the games.

lassign $argv path list rounds
proc progressCallBack {args} {}

set base [sc_base open $path]
sc_base switch $base

proc ask {kind options} {
    global base
    if {$kind eq "material"} {
        sc_search material {*}$options
    } else {
        sc_filter search $base dbfilter header -filter RESET {*}$options
    }
}

# Nanoseconds that the thread has run, where Linux counts them.
proc processor {} {
    set file [open /proc/self/schedstat]
    set line [gets $file]
    close $file
    lindex $line 0
}

set file [open $list]
while {[gets $file line] >= 0} {
    set options [lassign $line kind]
    if {$rounds eq "games"} {
        ask $kind $options
        set found {}
        # Three values for each game; the first is its number, `_` and the ply.
        foreach {place row deleted} [sc_base gameslist $base 0 [sc_filter count] dbfilter N+] {
            lappend found [lindex [split $place _] 0]
        }
        puts $found
        continue
    }
    set best Inf
    set least Inf
    for {set round 0} {$round < $rounds} {incr round} {
        set begin [processor]
        set start [clock microseconds]
        ask $kind $options
        set best [expr {min($best, ([clock microseconds] - $start) / 1e6)}]
        set least [expr {min($least, ([processor] - $begin) / 1e9)}]
    }
    puts "[sc_filter count] $best $least"
}
