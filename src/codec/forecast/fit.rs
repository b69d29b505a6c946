//! Fitting the levels of nodes: a node gets a level of its own in a context if
//! this saves more bits than it takes in the table.

use super::levels::{UNFITTED, best, bits, cost};
use super::table::{Depth, Said, TableWriter};
use super::tally::{Counts, Tally};
use super::tree::{Levels, NOTHING_SAID, Node};

/// The approximate size of table entries, in 1/1024 bit: for no change at a
/// node and below it, for changes only below it, and for a level.
const NOTHING: u64 = 512;
const BELOW: u64 = 1536;
const LEVEL: u64 = 6 << 10;

impl Tally {
    /// Fits distributions to the counts and encodes them as a table.
    pub fn fit(&self) -> Vec<u8> {
        let mut table = TableWriter::new();
        for counts in &self.families {
            fit_family(counts, &mut table);
        }
        table.finish()
    }
}

fn fit_family(counts: &Counts, table: &mut TableWriter) {
    let family = &counts.family;
    let [outer, inner] = [family.outer, family.inner]
        .map(|contexts| usize::try_from(contexts).unwrap_or(usize::MAX));
    let mut of_family = NOTHING_SAID;
    let sum = counts.sum(0..counts.contexts.len());
    let fit = Fit::new(counts, sum.as_deref(), &of_family);
    fit.write(Depth::Family, table, &mut of_family);
    for first in (0..outer).map(|context| context * inner) {
        let mut of_outer = of_family;
        if outer > 1 {
            let sum = counts.sum(first..first + inner);
            let fit = Fit::new(counts, sum.as_deref(), &of_outer);
            fit.write(Depth::Outer, table, &mut of_outer);
        }
        if inner > 1 {
            let contexts = counts.contexts.iter().skip(first).take(inner);
            let fits: Vec<Fit> = contexts
                .map(|context| Fit::new(counts, context.as_deref(), &of_outer))
                .collect();
            let any = fits.iter().any(Fit::says_something);
            table.any(any);
            for fit in fits.iter().filter(|_| any) {
                fit.write(Depth::Inner, table, &mut of_outer.clone());
            }
        }
    }
}

/// The entries of one context.
struct Fit {
    root: Node,
    said: Option<Box<[Said; 256]>>,
}

/// The cost of the symbols below a node, in 1/1024 bit.
#[derive(Default)]
struct Cost {
    symbols: u64,
    /// With the inherited levels.
    inherited: u64,
    /// With the chosen levels, including their entries.
    best: u64,
}

impl Fit {
    fn new(counts: &Counts, symbols: Option<&[u32]>, inherited: &Levels) -> Fit {
        let root = Node::root(&counts.family);
        let said = symbols.map(|symbols| {
            let mut said = Box::new([Said::Nothing; 256]);
            choose(root, symbols, inherited, &mut said);
            said
        });
        Fit { root, said }
    }

    fn said(&self, node: &Node) -> Said {
        let said = self.said.as_ref().and_then(|said| said.get(node.number));
        said.copied().unwrap_or(Said::Nothing)
    }

    fn says_something(&self) -> bool {
        self.said(&self.root) != Said::Nothing
    }

    fn write(&self, depth: Depth, table: &mut TableWriter, levels: &mut Levels) {
        table.tree(depth, self.root, |node| self.said(node), levels);
    }
}

fn choose(node: Node, symbols: &[u32], inherited: &Levels, said: &mut [Said; 256]) -> Cost {
    if let Some(symbol) = node.symbol() {
        let count = symbols.get(usize::from(symbol)).copied().unwrap_or(0);
        return Cost {
            symbols: count.into(),
            ..Cost::default()
        };
    }
    let (left, right) = node.children();
    let of_left = choose(left, symbols, inherited, said);
    let Some(right) = right else {
        return of_left;
    };
    let of_right = choose(right, symbols, inherited, said);
    let (n_left, n_right) = (of_left.symbols, of_right.symbols);
    let here = match inherited.get(node.number).copied().unwrap_or(UNFITTED) {
        UNFITTED => {
            let [left, right] = [left.width(), right.width()];
            let of = |width: u32| bits((width << 16) / (left_and_right(left, right)));
            n_left * of(left) + n_right * of(right)
        }
        level => cost(level, n_left, n_right),
    };
    let own = best(n_left, n_right);
    let with_own = cost(own, n_left, n_right) + LEVEL;
    let as_inherited = here + BELOW;
    let mut result = Cost {
        symbols: n_left + n_right,
        inherited: here + of_left.inherited + of_right.inherited,
        best: with_own.min(as_inherited) + of_left.best + of_right.best,
    };
    let of_node = if result.inherited + NOTHING <= result.best {
        result.best = result.inherited + NOTHING;
        Said::Nothing
    } else if with_own < as_inherited {
        Said::Level(own)
    } else {
        Said::Below
    };
    if let Some(entry) = said.get_mut(node.number) {
        *entry = of_node;
    }
    result
}

fn left_and_right(left: u32, right: u32) -> u32 {
    (left + right).max(1)
}
