//! Fitting the levels of nodes: a node gets a level of its own in a context if
//! this saves more bits than it takes in the table.

use super::levels::{UNFITTED, best_level, cost, share_cost};
use super::table::{Depth, NodeEntry, TableWriter};
use super::tally::{SymbolCounts, Tally};
use super::tree::{Levels, SymbolNode, UNFITTED_LEVELS};

/// The approximate size of table entries, in 1/1024 bit: for no change at a
/// node and below it, for changes only below it, and for a level.
const INHERIT_COST: u64 = 512;
const DESCEND_COST: u64 = 1536;
const LEVEL_COST: u64 = 6 << 10;

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

fn fit_family(counts: &SymbolCounts, table: &mut TableWriter) {
    let family = &counts.family;
    let [outer, inner] = [family.outer, family.inner]
        .map(|contexts| usize::try_from(contexts).unwrap_or(usize::MAX));
    let mut family_levels = UNFITTED_LEVELS;
    let sum = counts.sum(0..counts.contexts.len());
    let fit = ContextFit::new(counts, sum.as_deref(), &family_levels);
    fit.write(Depth::Family, table, &mut family_levels);
    for first in (0..outer).map(|context| context * inner) {
        let mut outer_levels = family_levels;
        if outer > 1 {
            let sum = counts.sum(first..first + inner);
            let fit = ContextFit::new(counts, sum.as_deref(), &outer_levels);
            fit.write(Depth::Outer, table, &mut outer_levels);
        }
        if inner > 1 {
            let contexts = counts.contexts.iter().skip(first).take(inner);
            let fits: Vec<ContextFit> = contexts
                .map(|context| ContextFit::new(counts, context.as_deref(), &outer_levels))
                .collect();
            let any = fits.iter().any(ContextFit::has_entries);
            table.any_entries(any);
            for fit in fits.iter().filter(|_| any) {
                fit.write(Depth::Inner, table, &mut outer_levels.clone());
            }
        }
    }
}

/// The entries of one context.
struct ContextFit {
    root: SymbolNode,
    entries: Option<Box<[NodeEntry; 256]>>,
}

/// The cost of the symbols below a node, in 1/1024 bit.
#[derive(Default)]
struct NodeCost {
    symbols: u64,
    /// With the inherited levels.
    inherited: u64,
    /// With the chosen levels, including their entries.
    best: u64,
}

impl ContextFit {
    fn new(counts: &SymbolCounts, symbols: Option<&[u32]>, inherited: &Levels) -> ContextFit {
        let root = SymbolNode::root(&counts.family);
        let said = symbols.map(|symbols| {
            let mut said = Box::new([NodeEntry::Inherit; 256]);
            choose_entries(root, symbols, inherited, &mut said);
            said
        });
        ContextFit {
            root,
            entries: said,
        }
    }

    fn entry(&self, node: &SymbolNode) -> NodeEntry {
        let said = self.entries.as_ref().and_then(|said| said.get(node.number));
        said.copied().unwrap_or(NodeEntry::Inherit)
    }

    fn has_entries(&self) -> bool {
        self.entry(&self.root) != NodeEntry::Inherit
    }

    fn write(&self, depth: Depth, table: &mut TableWriter, levels: &mut Levels) {
        table.tree(depth, self.root, |node| self.entry(node), levels);
    }
}

fn choose_entries(
    node: SymbolNode,
    symbols: &[u32],
    inherited: &Levels,
    entries: &mut [NodeEntry; 256],
) -> NodeCost {
    if let Some(symbol) = node.symbol() {
        let count = symbols.get(usize::from(symbol)).copied().unwrap_or(0);
        return NodeCost {
            symbols: count.into(),
            ..NodeCost::default()
        };
    }
    // Most nodes of most contexts have no symbols, and inherit.
    let below = symbols.get(node.range()).unwrap_or_default();
    if below.iter().all(|count| *count == 0) {
        return NodeCost {
            best: if node.width() > 1 { INHERIT_COST } else { 0 },
            ..NodeCost::default()
        };
    }
    let (left, right) = node.children();
    let of_left = choose_entries(left, symbols, inherited, entries);
    let Some(right) = right else {
        return of_left;
    };
    let of_right = choose_entries(right, symbols, inherited, entries);
    let (n_left, n_right) = (of_left.symbols, of_right.symbols);
    let here = match inherited.get(node.number).copied().unwrap_or(UNFITTED) {
        UNFITTED => {
            let [left, right] = [left.width(), right.width()];
            let of = |width: u32| share_cost((width << 16) / (nonzero_sum(left, right)));
            n_left * of(left) + n_right * of(right)
        }
        level => cost(level, n_left, n_right),
    };
    let own = best_level(n_left, n_right);
    let with_own = cost(own, n_left, n_right) + LEVEL_COST;
    let as_inherited = here + DESCEND_COST;
    let mut result = NodeCost {
        symbols: n_left + n_right,
        inherited: here + of_left.inherited + of_right.inherited,
        best: with_own.min(as_inherited) + of_left.best + of_right.best,
    };
    let of_node = if result.inherited + INHERIT_COST <= result.best {
        result.best = result.inherited + INHERIT_COST;
        NodeEntry::Inherit
    } else if with_own < as_inherited {
        NodeEntry::Level(own)
    } else {
        NodeEntry::Descend
    };
    if let Some(entry) = entries.get_mut(node.number) {
        *entry = of_node;
    }
    result
}

fn nonzero_sum(left: u32, right: u32) -> u32 {
    (left + right).max(1)
}
