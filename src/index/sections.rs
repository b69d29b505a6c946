//! Encoding the indexes of a segment.

use super::build::build_groups;
use super::coded::{Codes, EventSymbols};
use super::framed::write_section;
use super::group::{Group, GroupRows, path_rows};
use super::line::IndexMoves;
use super::openings::write_head;
use super::plies::{FirstPlies, LineSuffix, PlyCodes, choice_contexts, scores};
use super::source::IndexSections;
use super::structures::{OUTSIDE_GROUP_GAMES, Structures, hash};
use super::tails::{BuiltTail, Tails, event_contexts};
use super::tree::OpeningTree;
use super::visits::Visits;
use crate::bits::{ByteReader, put_bytes};
use crate::codec::ints;
use crate::limits::Limits;
use crate::parallel;

/// The openings of a segment, and the order of its games.
#[derive(Debug)]
pub struct IndexBuilder<'l> {
    games: &'l [IndexMoves],
    trunk: OpeningTree,
    groups: Vec<Group>,
    sections: IndexSections,
    order: IndexOrder,
}

/// The order in which indexes have the games of a segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexOrder {
    /// The games outside the tree, in ascending order.
    pub unindexed_games: Vec<u32>,
    /// The games of the tree, in its order.
    pub tree_games: Vec<u32>,
}

impl<'l> IndexBuilder<'l> {
    /// Builds the tree of the main lines of all games of a segment. `None` if the games are too many.
    pub fn new(games: &'l [IndexMoves]) -> Option<IndexBuilder<'l>> {
        let count = u32::try_from(games.len()).ok()?;
        let (trunk, rows) = build_groups(games);
        let mut groups = Vec::with_capacity(rows.len());
        let mut first_place = 0;
        for rows in &rows {
            let path = path_rows(&trunk, trunk.node_of(first_place));
            groups.push(rows.group(&path));
            first_place += rows.games();
        }
        let records = parallel::map(&rows, GroupRows::write);
        let sizes = |size: &dyn Fn(&GroupRows) -> usize| -> Vec<u64> {
            rows.iter().map(|rows| size(rows) as u64).collect()
        };
        let of_records: Vec<u64> = records.iter().map(|record| record.len() as u64).collect();
        let having = |is_one: fn(&IndexMoves) -> bool| -> Vec<u32> {
            let numbered = (0u32..).zip(games).filter(|(_, game)| is_one(game));
            numbered.map(|(number, _)| number).collect()
        };
        let unindexed_games = having(|game| game.line().is_none());
        let branching = having(|game| game.line().is_some_and(|line| line.has_variations));
        let sets = [unindexed_games.as_slice(), branching.as_slice()];
        let head = write_head(count, &trunk, sets, &sizes(&GroupRows::games), &of_records);
        let tree_games = groups.iter().flat_map(|group| &group.games).copied();
        Some(IndexBuilder {
            order: IndexOrder {
                tree_games: tree_games.collect(),
                unindexed_games,
            },
            games,
            trunk,
            groups,
            sections: IndexSections {
                openings: write_section(&head, records),
                ..IndexSections::default()
            },
        })
    }

    pub fn order(&self) -> &IndexOrder {
        &self.order
    }

    /// The sections of an index of openings.
    pub fn sections(&self) -> &IndexSections {
        &self.sections
    }

    /// The sections of full indexes; `None` if a line has an illegal move.
    pub fn full_sections(&self, limits: &Limits) -> Option<IndexSections> {
        let tails = parallel::map(&self.groups, |group| self.tails_of(group));
        let tails = tails.into_iter().collect::<Option<Vec<_>>>()?;
        Some(IndexSections {
            openings: self.sections.openings.clone(),
            continuations: self.continuations(&tails, limits)?,
            structures: Structures::write(&self.structures(), self.outside_structures())
                .unwrap_or_default(),
            visits: Visits::build(&self.order.tree_games, self.games)?,
        })
    }

    /// The games of a group, and the number of plies after which each leaves the tree.
    fn suffixes(&self, group: &Group) -> Option<Vec<LineSuffix<'l>>> {
        let games = group.games.iter().zip(group.tree.exit_depths());
        let suffix = |(game, shared): (&u32, usize)| {
            let line = IndexMoves::line_of(self.games, *game)?;
            Some(LineSuffix { line, shared })
        };
        games.map(suffix).collect()
    }

    fn tails_of(&self, group: &Group) -> Option<Vec<BuiltTail>> {
        let games = self.suffixes(group)?.into_iter();
        let tail = |game: LineSuffix<'_>| BuiltTail::new(game.line, game.shared);
        games.map(tail).collect()
    }

    fn continuations(&self, tails: &[Vec<BuiltTail>], limits: &Limits) -> Option<Vec<u8>> {
        let all = tails.iter().flatten().map(|tail| &tail.symbols);
        let tail_codes = Codes::new(all, &event_contexts())?;
        let suffixes = self.groups.iter().map(|group| self.suffixes(group));
        let suffixes = suffixes.collect::<Option<Vec<_>>>()?;
        let scores = scores(&suffixes.iter().flatten().collect::<Vec<_>>())?;

        let mut head = Vec::new();
        put_bytes(&mut head, &tail_codes.write(&event_contexts()));
        let tables = tail_codes.tables();
        let records = parallel::map(tails, |tails| {
            let mut out = Vec::new();
            Tails::write(tails, &tables, &mut out)?;
            Some(out)
        });
        let mut records = records.into_iter().collect::<Option<Vec<Vec<u8>>>>()?;
        // The plies are coded with the tails that a reader decodes.
        let codes = tail_codes.decoded();
        let games = suffixes.iter().zip(&records).collect::<Vec<_>>();
        let choices = parallel::map(games, |(games, record)| {
            let mut reader = ByteReader::new(record);
            let tails = Tails::parse(&mut reader, &codes, games.len(), limits).ok()?;
            let choices = games.iter().enumerate();
            let choices = choices.map(|(place, game)| game.choices(&tails, place, &scores));
            choices.collect::<Option<Vec<EventSymbols>>>()
        });
        let choices = choices.into_iter().collect::<Option<Vec<_>>>()?;
        let ply_codes = Codes::new(choices.iter().flatten(), &choice_contexts())?;
        PlyCodes::write(&scores, &ply_codes, &mut head);
        let tables = ply_codes.tables();
        for (record, choices) in records.iter_mut().zip(&choices) {
            FirstPlies::write(choices, &tables, record)?;
        }
        let sizes: Vec<u64> = records.iter().map(|record| record.len() as u64).collect();
        put_bytes(&mut head, &ints::encode_smallest(&sizes));
        Some(write_section(&head, records))
    }

    /// The structures of pawns of each group, in its games after they leave the trunk.
    fn structures(&self) -> Vec<Vec<u64>> {
        let trunk_depths = self.trunk.exit_depths();
        let mut depths = trunk_depths.as_slice();
        let groups = self.groups.iter().map(|group| {
            let (of_group, rest) = depths
                .split_at_checked(group.games.len())
                .unwrap_or((depths, &[]));
            depths = rest;
            (group, of_group)
        });
        parallel::map(groups.collect::<Vec<_>>(), |(group, depths)| {
            let games = group.games.iter().zip(depths);
            let mut hashes: Vec<u64> = Vec::new();
            for (game, depth) in games {
                if let Some(line) = IndexMoves::line_of(self.games, *game) {
                    hashes.extend(line.pawn_structures(*depth).map(hash));
                }
            }
            distinct(hashes)
        })
    }

    /// The structures of pawns of the games outside the tree, so many games together as a group has;
    /// `None` if those of a game are not known.
    fn outside_structures(&self) -> Option<Vec<Vec<u64>>> {
        let games = self.order.unindexed_games.iter();
        let structures = games.map(|game| match self.games.get(usize::try_from(*game).ok()?)? {
            IndexMoves::Outside(structures) => Some(structures.as_slice()),
            IndexMoves::Line(_) | IndexMoves::Unknown => None,
        });
        let structures = structures.collect::<Option<Vec<_>>>()?;
        let groups = structures.chunks(OUTSIDE_GROUP_GAMES);
        let hashes = groups.map(|group| distinct(group.concat().into_iter().map(hash).collect()));
        Some(hashes.collect())
    }
}

fn distinct(mut hashes: Vec<u64>) -> Vec<u64> {
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}
