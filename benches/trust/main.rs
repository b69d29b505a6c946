//! Damaged, forged, changing and hostile input.
//!
//!     cargo bench --bench trust [-- GATE…]
//!
//! Archives of the sample collection, one per level, with all indexes, are damaged as
//! by disks, transfers and forgers; and texts and archives that are made to take much
//! time or memory are packed and read, each in its own process. Each gate prints the
//! number of cases and their outcomes. Without names, all gates run.
#![allow(
    clippy::cast_possible_truncation,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a benchmark may fail loudly"
)]

mod bombs;
mod bursts;
mod bytes;
mod changes;
mod forged;
mod forgeries;
mod hostile;
mod judge;
mod line;
mod process;
mod random;
mod samples;
mod sectors;
mod texts;

use crate::judge::Tally;
use anyhow::{Result, bail};
use std::time::Instant;

/// A gate on damage.
struct Gate {
    name: &'static str,
    /// A description of the changes.
    what: &'static str,
    run: fn() -> Result<Tally>,
    /// The required number of cases that read unchanged without a warning, if it is not
    /// random.
    same: Option<u64>,
}

const GATES: [Gate; 7] = [
    Gate {
        name: "bytes",
        what: "each byte takes all its other values",
        run: bytes::run,
        same: Some(0),
    },
    Gate {
        name: "sectors-512",
        what: "each sector zeroed, each two swapped, each over each",
        run: sectors::small,
        same: Some(0),
    },
    Gate {
        name: "sectors-4096",
        what: "each sector zeroed, each two swapped, each over each",
        run: sectors::large,
        same: Some(0),
    },
    Gate {
        name: "bursts",
        what: "runs of other bytes, to 4 KiB",
        run: bursts::run,
        same: Some(0),
    },
    Gate {
        name: "forgeries",
        what: "blocks, slots and footers of other archives and older states",
        run: forgeries::run,
        // A slot that is not read.
        same: Some(1),
    },
    Gate {
        name: "replaced",
        what: "the file is written over while it is read",
        run: changes::replaced,
        same: None,
    },
    Gate {
        name: "truncated",
        what: "the file is cut while it is read",
        run: changes::truncated,
        same: None,
    },
];

/// A gate on the cost of input.
type Cost = (&'static str, fn() -> Result<()>);

const COSTS: [Cost; 4] = [
    ("hostile", hostile::run),
    ("line", line::run),
    ("forged", forged::run),
    ("bombs", bombs::run),
];

fn main() -> Result<()> {
    // Added by cargo.
    let args = std::env::args().skip(1).filter(|arg| arg != "--bench");
    let names: Vec<String> = args.collect();
    if let [first, case, level] = &names[..]
        && first == process::CASE
    {
        process::start_timeout();
        return match case.as_str() {
            forged::CASE => forged::child(level),
            bombs::CASE => bombs::child(),
            line::CASE => line::child(level),
            text => hostile::child(text, level),
        };
    }
    let mut known: Vec<&str> = GATES.iter().map(|gate| gate.name).collect();
    known.extend(COSTS.iter().map(|gate| gate.0));
    if let Some(name) = names.iter().find(|name| !known.contains(&name.as_str())) {
        bail!("no gate {name}; there are {}", known.join(", "));
    }
    let is_chosen = |name: &str| names.is_empty() || names.iter().any(|chosen| chosen == name);
    let mut failed = Vec::new();
    let mut is_headed = false;
    for gate in GATES {
        if is_chosen(gate.name) {
            if !is_headed {
                println!(
                    "| gate | what | cases | refused | detected | mended | same | silent | s |"
                );
                println!("|---|---|---|---|---|---|---|---|");
                is_headed = true;
            }
            let start = Instant::now();
            let tally = (gate.run)()?;
            println!(
                "| {} | {} | {tally} | {:.0} |",
                gate.name,
                gate.what,
                start.elapsed().as_secs_f64()
            );
            if tally.silent > 0 || gate.same.is_some_and(|same| same != tally.same) {
                failed.push(gate.name);
            }
        }
    }
    for (name, gate) in COSTS {
        if is_chosen(name) {
            let start = Instant::now();
            gate()?;
            eprintln!("{name}: {:.0} s", start.elapsed().as_secs_f64());
        }
    }
    if !failed.is_empty() {
        bail!("not as it should be: {}", failed.join(", "));
    }
    Ok(())
}
