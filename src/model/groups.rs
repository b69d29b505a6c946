//! The groups of features, and the groups of each level.

use super::table::MaskedTable;

/// A group of features. Each index, below 2^bits, has a weight or a row of its
/// own.
///
/// The groups are defined in `spec/models.md`, "Groups", in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
#[allow(missing_docs, reason = "spec/models.md defines each group")]
pub enum FeatureGroup {
    // Lines: one weight for each target.
    PhaseTargets,
    OriginTargets,
    TheirKing,
    OurKing,
    TheirLast,
    OurLast,
    TheirMove,
    OurPlan,
    Opening,
    Position,
    RatedPosition,
    TopHanging,
    // Groups of a piece.
    Origin,
    Standing,
    Again,
    Harried,
    Shield,
    Surroundings,
    // Groups of a move.
    Capture,
    Exchange,
    Back,
    Check,
    Castling,
    Promotion,
    PawnStep,
    NewThreats,
    PawnSquares,
    Files,
    RatedExchange,
    Mobility,
    Trade,
    Aim,
    Outcome,
    TargetSurroundings,
    Response,
    Losses,
    Gains,
    KingZone,
    LeastAttacker,
    Hits,
}

impl FeatureGroup {
    /// The number of groups.
    pub const COUNT: usize = FeatureGroup::Hits as usize + 1;

    /// All groups in order, with the number of bits of their indexes; 0 means
    /// the level's hash bits.
    pub const ALL: [(FeatureGroup, u32); Self::COUNT] = [
        (FeatureGroup::PhaseTargets, 11),
        (FeatureGroup::OriginTargets, 15),
        (FeatureGroup::TheirKing, 15),
        (FeatureGroup::OurKing, 15),
        (FeatureGroup::TheirLast, 18),
        (FeatureGroup::OurLast, 0),
        (FeatureGroup::TheirMove, 0),
        (FeatureGroup::OurPlan, 0),
        (FeatureGroup::Opening, 0),
        (FeatureGroup::Position, 0),
        (FeatureGroup::RatedPosition, 0),
        (FeatureGroup::TopHanging, 0),
        (FeatureGroup::Origin, 11),
        (FeatureGroup::Standing, 12),
        (FeatureGroup::Again, 8),
        (FeatureGroup::Harried, 7),
        (FeatureGroup::Shield, 6),
        (FeatureGroup::Surroundings, 0),
        (FeatureGroup::Capture, 14),
        (FeatureGroup::Exchange, 12),
        (FeatureGroup::Back, 5),
        (FeatureGroup::Check, 9),
        (FeatureGroup::Castling, 6),
        (FeatureGroup::Promotion, 6),
        (FeatureGroup::PawnStep, 9),
        (FeatureGroup::NewThreats, 10),
        (FeatureGroup::PawnSquares, 13),
        (FeatureGroup::Files, 6),
        (FeatureGroup::RatedExchange, 10),
        (FeatureGroup::Mobility, 9),
        (FeatureGroup::Trade, 12),
        (FeatureGroup::Aim, 8),
        (FeatureGroup::Outcome, 10),
        (FeatureGroup::TargetSurroundings, 0),
        (FeatureGroup::Response, 9),
        (FeatureGroup::Losses, 13),
        (FeatureGroup::Gains, 12),
        (FeatureGroup::KingZone, 9),
        (FeatureGroup::LeastAttacker, 13),
        (FeatureGroup::Hits, 12),
    ];
}

/// A set of groups; bit n is the group with number n.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Groups(pub u64);

impl Groups {
    /// All groups.
    pub const ALL: Groups = Groups((1 << FeatureGroup::COUNT) - 1);

    /// The groups of lines with numbers of their own.
    const DENSE_LINES: Groups = Groups((1 << FeatureGroup::OurLast as usize) - 1);

    /// The groups of lines.
    const LINES: Groups = Groups((1 << FeatureGroup::Origin as usize) - 1);

    /// The groups whose indexes each have a weight. The indexes of the other
    /// groups each have a row of the net.
    pub(super) const WEIGHTED: Groups = Groups(
        Self::LINES.0 | Self::of(&[FeatureGroup::Surroundings, FeatureGroup::TargetSurroundings]).0,
    );

    /// The set of these groups.
    pub const fn of(mut groups: &[FeatureGroup]) -> Groups {
        let mut set = 0;
        while let [group, rest @ ..] = groups {
            set |= 1 << *group as usize;
            groups = rest;
        }
        Groups(set)
    }

    /// Whether the group is in the set.
    #[inline(always)]
    pub const fn has(self, group: FeatureGroup) -> bool {
        self.0 >> group as usize & 1 == 1
    }
}

/// A level: the features and the size of a model.
pub trait Level: Copy + Send + Sync {
    /// The last byte of the files of its models.
    const NUMBER: u8;
    /// Its groups.
    const GROUPS: Groups;
    /// The number of bits of hashed indexes.
    const HASH_BITS: u32;
    /// Whether exchanges are played out where the estimate is inexact.
    const EXACT_EXCHANGES: bool;
    /// The number of units of the position.
    const UNITS: usize;
    /// The number of units of each move.
    const MOVE_UNITS: usize;

    /// The offsets of the weights of the groups that have weights.
    const WEIGHTS: GroupOffsets =
        starts(Groups(Self::GROUPS.0 & Groups::WEIGHTED.0), Self::HASH_BITS);
    /// The offsets of the rows of the other groups.
    const ROWS: GroupOffsets = starts(
        Groups(Self::GROUPS.0 & !Groups::WEIGHTED.0),
        Self::HASH_BITS,
    );
    /// The number of its groups that are lines with numbers of their own.
    const DENSE_LINES: usize = (Self::GROUPS.0 & Groups::DENSE_LINES.0).count_ones() as usize;
    /// The number of its groups that are lines selected by hashes.
    const HASHED_LINES: usize =
        (Self::GROUPS.0 & Groups::LINES.0).count_ones() as usize - Self::DENSE_LINES;
}

/// The offsets of the weights, or of the rows, of all groups.
#[derive(Debug, Clone, Copy)]
pub struct GroupOffsets {
    /// For each group, its first number and the mask of its indexes.
    of: MaskedTable<(usize, usize), 64>,
    /// The number of weights, or of rows.
    pub count: usize,
}

impl GroupOffsets {
    /// The number of the weight, or of the row, of an index of a group.
    #[inline(always)]
    pub fn number(&self, group: FeatureGroup, index: usize) -> usize {
        let (start, bits) = *self.of.at(group as usize);
        debug_assert_eq!(index & !bits, 0, "an index of {group:?}");
        // The mask changes nothing; it gives the compiler a bound.
        start + (index & bits)
    }
}

const fn starts(groups: Groups, hash_bits: u32) -> GroupOffsets {
    let mut starts = [(0, 0); 64];
    let mut count = 0;
    let (mut all, mut rest): (&[_], &mut [_]) = (&FeatureGroup::ALL, &mut starts);
    while let ([(group, bits), groups_after @ ..], [start, after @ ..]) = (all, rest) {
        let size = 1 << if *bits == 0 { hash_bits } else { *bits };
        *start = (count, size - 1);
        if groups.has(*group) {
            count += size;
        }
        (all, rest) = (groups_after, after);
    }
    GroupOffsets {
        of: MaskedTable(starts),
        count,
    }
}

/// The level `default`.
#[derive(Debug, Clone, Copy)]
pub struct Default;

impl Level for Default {
    const NUMBER: u8 = 2;
    const GROUPS: Groups = Groups::of(&[
        FeatureGroup::OriginTargets,
        FeatureGroup::TheirKing,
        FeatureGroup::OurKing,
        FeatureGroup::TheirLast,
        FeatureGroup::OurLast,
        FeatureGroup::TheirMove,
        FeatureGroup::Position,
        FeatureGroup::RatedPosition,
        FeatureGroup::Standing,
        FeatureGroup::Again,
        FeatureGroup::Surroundings,
        FeatureGroup::Capture,
        FeatureGroup::Exchange,
        FeatureGroup::Castling,
        FeatureGroup::Promotion,
        FeatureGroup::NewThreats,
        FeatureGroup::PawnSquares,
        FeatureGroup::Files,
        FeatureGroup::RatedExchange,
        FeatureGroup::TargetSurroundings,
        FeatureGroup::Response,
        FeatureGroup::Losses,
        FeatureGroup::Gains,
        FeatureGroup::Outcome,
        FeatureGroup::Hits,
    ]);
    const HASH_BITS: u32 = 16;
    const EXACT_EXCHANGES: bool = true;
    const UNITS: usize = 128;
    const MOVE_UNITS: usize = 32;
}

/// The level `max`.
#[derive(Debug, Clone, Copy)]
pub struct Max;

impl Level for Max {
    const NUMBER: u8 = 3;
    const GROUPS: Groups = Groups::ALL;
    const HASH_BITS: u32 = 18;
    const EXACT_EXCHANGES: bool = true;
    const UNITS: usize = 256;
    const MOVE_UNITS: usize = 64;
}

/// The level `fast`.
#[derive(Debug, Clone, Copy)]
pub struct Fast;

impl Level for Fast {
    const NUMBER: u8 = 1;
    const GROUPS: Groups = Groups::of(&[
        FeatureGroup::TheirLast,
        FeatureGroup::OurLast,
        FeatureGroup::Position,
        FeatureGroup::Capture,
        FeatureGroup::PawnSquares,
        FeatureGroup::Losses,
    ]);
    const HASH_BITS: u32 = 16;
    const EXACT_EXCHANGES: bool = false;
    const UNITS: usize = 96;
    const MOVE_UNITS: usize = 32;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_at_their_numbers() {
        for (number, (group, _)) in FeatureGroup::ALL.into_iter().enumerate() {
            assert_eq!(group as usize, number);
        }
    }

    /// The table of the specification has one row per group: number, name and
    /// bits.
    #[test]
    fn the_specification_has_these_groups() {
        let spec = include_str!("../../spec/models.md");
        for (number, (group, bits)) in FeatureGroup::ALL.into_iter().enumerate() {
            let bits = match bits {
                0 => "h".to_owned(),
                bits => bits.to_string(),
            };
            let row = format!("| {number} | {group:?} | {bits} | ");
            let shown = spec.lines().any(|line| line.starts_with(&row));
            assert!(shown, "spec lacks {row}");
        }
    }

    fn assert_level_in_spec<L: Level>(name: &str) {
        let numbers = (0..FeatureGroup::COUNT).filter(|n| L::GROUPS.0 >> n & 1 == 1);
        let numbers: Vec<_> = numbers.map(|n| n.to_string()).collect();
        let groups = match numbers.len() {
            FeatureGroup::COUNT => "all".to_owned(),
            _ => numbers.join(" "),
        };
        let played_out = if L::EXACT_EXCHANGES { "yes" } else { "no" };
        let row = format!(
            "| {} | {name} | {} | {played_out} | {} | {} | {groups} |",
            L::NUMBER,
            L::HASH_BITS,
            L::UNITS,
            L::MOVE_UNITS,
        );
        let spec = include_str!("../../spec/models.md");
        assert!(spec.lines().any(|line| line == row), "spec lacks {row}");
    }

    #[test]
    fn the_specification_has_these_levels() {
        assert_level_in_spec::<Fast>("fast");
        assert_level_in_spec::<Default>("default");
        assert_level_in_spec::<Max>("max");
    }

    #[test]
    fn absent_groups_take_no_space() {
        let starts = Fast::WEIGHTS;
        assert_eq!(starts.number(FeatureGroup::TheirLast, 5), 5);
        assert_eq!(starts.number(FeatureGroup::OurLast, 0), 1 << 18);
        assert_eq!(
            starts.number(FeatureGroup::Position, 0),
            (1 << 18) + (1 << 16)
        );
        let count = |bits: &[u32]| bits.iter().map(|bits| 1 << bits).sum::<usize>();
        assert_eq!(starts.count, count(&[18, 16, 16]));
        assert_eq!(Fast::ROWS.number(FeatureGroup::PawnSquares, 0), 1 << 14);
        assert_eq!(Fast::ROWS.count, count(&[14, 13, 13]));
    }
}
