//! Building the opening tree.

use super::line::{IndexLine, PackedPly};
use super::tree::{MAX_PLIES, TreeColumns};
use crate::parallel;
use std::ops::Range;

/// A line becomes a node if at least this many games share it. On 192,630 master games, 2
/// gives 1.47 nodes per game and games leave the tree at ply 16.2 on average, 3 gives 0.72
/// and 14.7, 4 gives 0.48 and 14.0. A node takes 14 bits. Each ply that a game stays longer
/// in the tree saves 3 bits of its tail.
const MIN_SHARED_GAMES: usize = 4;

/// A node to create: its move, its games as a range of the sorted games, and its depth in
/// plies.
struct BuildTask {
    ply: PackedPly,
    games: Range<usize>,
    depth: usize,
}

impl TreeColumns {
    /// Builds the tree of the main lines of the games. Games without a line are left out.
    pub(super) fn from_lines(lines: &[Option<IndexLine>]) -> TreeColumns {
        let of_game = |game: usize| -> &[PackedPly] {
            let line = lines.get(game).and_then(Option::as_ref);
            line.map_or(&[], |line| &line.plies)
        };
        let mut order: Vec<usize> = (0..lines.len())
            .filter(|game| lines.get(*game).is_some_and(Option::is_some))
            .collect();
        parallel::sort_by(&mut order, |one, other| of_game(*one).cmp(of_game(*other)));
        let mut columns = TreeColumns {
            nodes: vec![0; lines.len()],
            variations: lines
                .iter()
                .map(|line| u64::from(line.as_ref().is_some_and(|line| line.has_variations)))
                .collect(),
            ..TreeColumns::default()
        };
        let mut tasks = vec![BuildTask {
            ply: PackedPly::default(),
            games: 0..order.len(),
            depth: 0,
        }];
        while let Some(task) = tasks.pop() {
            let is_root = columns.children.is_empty();
            if !is_root {
                columns.plies.push(task.ply);
            }
            columns.children.push(0);
            let node = columns.children.len();
            let games = order.get(task.games.clone()).unwrap_or_default();
            let mut place = task.games.start;
            let first_child_task = tasks.len();
            for same in games.chunk_by(|one, other| {
                of_game(*one).get(task.depth) == of_game(*other).get(task.depth)
            }) {
                let games = place..place + same.len();
                place = games.end;
                let first = same.first().and_then(|game| of_game(*game).get(task.depth));
                match first {
                    Some(ply) if same.len() >= MIN_SHARED_GAMES && task.depth < MAX_PLIES => tasks
                        .push(BuildTask {
                            ply: *ply,
                            games,
                            depth: task.depth + 1,
                        }),
                    _ => {
                        for game in same {
                            if let Some(at) = columns.nodes.get_mut(*game) {
                                *at = node as u64;
                            }
                        }
                    }
                }
            }
            if let Some(count) = columns.children.last_mut() {
                *count = (tasks.len() - first_child_task) as u64;
            }
            if let Some(children) = tasks.get_mut(first_child_task..) {
                children.reverse();
            }
        }
        columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{PlyKind, Square};

    /// A line of moves from each of these squares to a1.
    fn line(from: &[u32]) -> Option<IndexLine> {
        let ply = |from: &u32| PlyKind::Move {
            from: Square::new(*from),
            to: Square::A1,
            promotion: None,
        };
        IndexLine::new(from.iter().map(ply), false)
    }

    #[test]
    fn shared_lines_are_nodes() {
        let mut lines = vec![line(&[1, 2, 3]); 4];
        lines.extend([line(&[1, 2]), line(&[1, 5]), None, line(&[7]), line(&[])]);
        lines.extend(vec![line(&[4, 4]); 5]);
        let columns = TreeColumns::from_lines(&lines);
        // The nodes: the root, 1, 1 2, 1 2 3, 4, 4 4.
        assert_eq!(columns.children, [2, 1, 1, 0, 1, 0]);
        let nodes = [4, 4, 4, 4, 3, 2, 0, 1, 1, 6, 6, 6, 6, 6];
        assert_eq!(columns.nodes, nodes);
    }
}
