//! Building the tree of the lines that games share, and dividing its games into groups.

use super::group::{GroupRow, GroupRows};
use super::line::{IndexMoves, PackedPly};
use super::tree::{MAX_PLIES, NodeRow, OpeningTree};
use crate::parallel;
use std::ops::Range;

/// A line becomes a node if at least this many games share it. On 192,630 master games, 2
/// gives 1.47 nodes per game and games leave the tree at ply 16.2 on average, 3 gives 0.72
/// and 14.7, 4 gives 0.48 and 14.0. A node takes 9 bits. Each ply that a game stays longer
/// in the tree saves 3 bits of its tail. With 8 an archive with an index of openings is the
/// smallest, and one with full indexes 0.1 MB larger than with 6.
const MIN_SHARED_GAMES: usize = 8;

/// A node belongs to the trunk if at least this many games pass it. On 192,630 master games, 64 gives
/// a trunk of 4,222 nodes and 8.5 kB, which every search of the archive reads.
const MIN_TRUNK_GAMES: usize = 64;

/// A group has at most this many games. Smaller groups let a search read less; their
/// columns are a little larger.
const MAX_GROUP_GAMES: usize = 256;

/// A node of the lines that games share.
struct LineNode {
    depth: usize,
    ply: PackedPly,
    /// The number of games that pass it.
    games: usize,
    /// The games that leave there, in ascending order.
    exits: Vec<u32>,
}

/// A node to create: its move, its games as a range of the sorted games, and its depth in
/// plies.
struct BuildTask {
    ply: PackedPly,
    games: Range<usize>,
    depth: usize,
}

/// The nodes of the lines that games share, in preorder. Games without a line are left out.
fn shared_lines(games: &[IndexMoves]) -> Vec<LineNode> {
    let of_game = |game: &u32| -> &[PackedPly] {
        IndexMoves::line_of(games, *game).map_or(&[], |line| &line.plies)
    };
    let with_line = (0u32..)
        .zip(games)
        .filter(|(_, game)| game.line().is_some());
    let mut order: Vec<u32> = with_line.map(|(game, _)| game).collect();
    parallel::sort_by(&mut order, |one, other| of_game(one).cmp(of_game(other)));
    let mut nodes = Vec::new();
    let mut tasks = vec![BuildTask {
        ply: PackedPly::default(),
        games: 0..order.len(),
        depth: 0,
    }];
    while let Some(task) = tasks.pop() {
        let games = order.get(task.games.clone()).unwrap_or_default();
        let mut exits = Vec::new();
        let mut place = task.games.start;
        let first_child_task = tasks.len();
        let next = |game: &u32| of_game(game).get(task.depth).copied();
        for same in games.chunk_by(|one, other| next(one) == next(other)) {
            let games = place..place + same.len();
            place = games.end;
            match same.first().and_then(next) {
                Some(ply) if same.len() >= MIN_SHARED_GAMES && task.depth < MAX_PLIES => {
                    tasks.push(BuildTask {
                        ply,
                        games,
                        depth: task.depth + 1,
                    });
                }
                _ => exits.extend_from_slice(same),
            }
        }
        if let Some(children) = tasks.get_mut(first_child_task..) {
            children.reverse();
        }
        exits.sort_unstable();
        nodes.push(LineNode {
            depth: task.depth,
            ply: task.ply,
            games: games.len(),
            exits,
        });
    }
    nodes
}

/// The trunk of the tree of the main lines of all games of a segment, and the groups of its games.
pub(super) fn build_groups(games: &[IndexMoves]) -> (OpeningTree, Vec<GroupRows>) {
    let nodes = shared_lines(games);
    let tree = OpeningTree::new(nodes.iter().map(|node| NodeRow {
        depth: node.depth,
        ply: node.ply,
        exits: 0,
    }));
    let subtree_end = |node: usize| tree.node(node).map_or(nodes.len(), |it| it.subtree_end);
    let is_trunk = |node: &LineNode| node.depth == 0 || node.games >= MIN_TRUNK_GAMES;
    let mut trunk: Vec<NodeRow> = Vec::new();
    let mut groups = Groups::default();
    for (number, node) in nodes.iter().enumerate().filter(|(_, node)| is_trunk(node)) {
        groups.enter(node);
        groups.add_exits(node);
        let mut exits = node.games;
        let mut child = number + 1;
        while child < subtree_end(number) {
            let twig = child..subtree_end(child);
            child = twig.end;
            match nodes.get(twig) {
                Some([first, ..]) if is_trunk(first) => exits -= first.games,
                Some(twig) => groups.add_twig(twig),
                None => {}
            }
        }
        trunk.push(NodeRow {
            depth: node.depth,
            ply: node.ply,
            exits,
        });
    }
    (OpeningTree::new(trunk), groups.finish())
}

/// Groups in the making.
#[derive(Default)]
struct Groups {
    finished: Vec<GroupRows>,
    rows: Vec<GroupRow>,
    /// The games of the rows.
    games: usize,
    /// The node of the trunk that was entered last.
    entered: GroupRow,
}

impl Groups {
    fn enter(&mut self, node: &LineNode) {
        self.entered = GroupRow {
            is_trunk: true,
            depth: node.depth,
            ply: node.ply,
            games: Vec::new(),
        };
        // A group lists the nodes of the trunk from its first to its last.
        if !self.rows.is_empty() {
            self.rows.push(self.entered.clone());
        }
    }

    /// Adds the games that leave the tree at the node that was entered last.
    fn add_exits(&mut self, node: &LineNode) {
        let mut exits = node.exits.as_slice();
        while !exits.is_empty() {
            let (here, rest) = exits.split_at(exits.len().min(MAX_GROUP_GAMES - self.games));
            exits = rest;
            self.begin();
            if let Some(last) = self.rows.last_mut() {
                last.games.extend_from_slice(here);
                self.games += here.len();
            }
            if self.games == MAX_GROUP_GAMES {
                self.end();
            }
        }
    }

    /// Adds a subtree below the node that was entered last.
    fn add_twig(&mut self, twig: &[LineNode]) {
        let games = twig.first().map_or(0, |first| first.games);
        if self.games + games > MAX_GROUP_GAMES {
            self.end();
        }
        self.begin();
        self.rows.extend(twig.iter().map(|node| GroupRow {
            is_trunk: false,
            depth: node.depth,
            ply: node.ply,
            games: node.exits.clone(),
        }));
        self.games += games;
    }

    fn begin(&mut self) {
        if self.rows.is_empty() {
            self.rows.push(self.entered.clone());
        }
    }

    fn end(&mut self) {
        let mut rows = std::mem::take(&mut self.rows);
        // Without nodes of the trunk after its last game.
        while rows
            .pop_if(|row| row.is_trunk && row.games.is_empty())
            .is_some()
        {}
        if !rows.is_empty() {
            self.finished.push(GroupRows(rows));
        }
        self.games = 0;
    }

    fn finish(mut self) -> Vec<GroupRows> {
        self.end();
        self.finished
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{PlyKind, Square};
    use crate::index::IndexLine;

    /// A line of moves from each of these squares to a1.
    fn line(from: &[u32]) -> IndexMoves {
        let ply = |from: &u32| PlyKind::Move {
            from: Square::new(*from),
            to: Square::A1,
            promotion: None,
        };
        let line = IndexLine::new(from.iter().map(ply), false);
        IndexMoves::Line(line.unwrap())
    }

    #[test]
    fn shared_lines_are_nodes() {
        let mut lines = vec![line(&[1, 2, 3]); 8];
        let none = IndexMoves::Unknown;
        lines.extend([line(&[1, 2]), line(&[1, 5]), none, line(&[7]), line(&[])]);
        lines.extend(vec![line(&[4, 4]); 9]);
        let nodes = shared_lines(&lines);
        // The nodes: the root, 1, 1 2, 1 2 3, 4, 4 4.
        let of_nodes: Vec<_> = nodes.iter().map(|node| (node.depth, node.games)).collect();
        assert_eq!(of_nodes, [(0, 21), (1, 10), (2, 9), (3, 8), (1, 9), (2, 9)]);
        let exits: Vec<_> = nodes.iter().map(|node| node.exits.clone()).collect();
        assert_eq!(exits[..3], [vec![11, 12], vec![9], vec![8]]);
        assert_eq!(exits[3], [0, 1, 2, 3, 4, 5, 6, 7]);
    }

    #[test]
    fn nodes_of_many_games_are_the_trunk() {
        let mut lines = vec![line(&[1, 2]); 300];
        lines.extend(vec![line(&[1, 3]); 10]);
        lines.extend(vec![line(&[1]); 5]);
        lines.extend(vec![line(&[4]); 63]);
        let (trunk, groups) = build_groups(&lines);
        assert_eq!((trunk.len(), trunk.places()), (3, 378));
        // 63 games leave the trunk at the root, 15 at the node after one move, the others at the last.
        let before: Vec<_> = (0..4).map(|node| trunk.games_before(node)).collect();
        assert_eq!(before, [0, 63, 78, 378]);
        let games: Vec<usize> = groups.iter().map(GroupRows::games).collect();
        assert_eq!(games, [256, 122]);
        let of_rows = |rows: &GroupRows| -> Vec<(bool, usize, usize)> {
            let rows = rows.0.iter();
            rows.map(|row| (row.is_trunk, row.depth, row.games.len()))
                .collect()
        };
        let first = [
            (true, 0, 0),
            (false, 1, 63),
            (true, 1, 5),
            (false, 2, 10),
            (true, 2, 178),
        ];
        assert_eq!(of_rows(&groups[0]), first);
        assert_eq!(of_rows(&groups[1]), [(true, 2, 122)]);
    }
}
