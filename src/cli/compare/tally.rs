//! The results of the codecs, summed over the games.

use super::super::figures::ratio;
use crate::internals::moves::LineParts;
use std::collections::BTreeMap;
use std::time::Duration;

/// The result of coding a line with a codec.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Coded {
    /// Size of the encoding.
    pub(super) bytes: u64,
    /// Encoding time.
    pub(super) encode: Duration,
    /// Decoding time.
    pub(super) decode: Duration,
    /// The parts of the encoding, if the codec reports them.
    pub(super) parts: Option<LineParts>,
}

/// The results of all codecs for a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CodecResults {
    /// The result of each codec; `None` if it cannot represent the line.
    pub(super) codecs: Vec<Option<Coded>>,
    /// The result of `auto`; `None` if no codec can represent the line.
    pub(super) auto: Option<Coded>,
}

impl CodecResults {
    /// The smallest encoding and the index of its codec; the first on a tie.
    pub(super) fn smallest(&self) -> Option<(usize, Coded)> {
        let coded = self.codecs.iter().enumerate();
        coded
            .filter_map(|(index, coded)| Some((index, (*coded)?)))
            .min_by_key(|(_, coded)| coded.bytes)
    }
}

/// The sum of the parts of a codec's encodings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct PartsSum {
    /// The number of encodings whose parts are known.
    pub(super) games: u64,
    /// Their size in bytes.
    pub(super) bytes: u64,
    /// Their parts, in bits.
    pub(super) bits: LineParts,
}

impl PartsSum {
    fn add(&mut self, bytes: u64, parts: LineParts) {
        self.games += 1;
        self.bytes += bytes;
        self.bits.trees += parts.trees;
        self.bits.start += parts.start;
        self.bits.moves += parts.moves;
    }

    /// The padding to whole bytes, in bits.
    pub(super) fn padding_bits(&self) -> u64 {
        (8 * self.bytes).saturating_sub(self.bits.trees + self.bits.start + self.bits.moves)
    }

    /// Bits per game of one of the parts.
    pub(super) fn per_game(&self, bits: u64) -> f64 {
        ratio(bits, self.games)
    }
}

/// The sums of one codec, over the games that it can represent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct CodecSums {
    /// The number of games that it can represent.
    pub(super) games: u64,
    /// Their number of plies.
    pub(super) plies: u64,
    /// The size of their encodings in bytes.
    pub(super) bytes: u64,
    /// The number of games for which it is the smallest.
    pub(super) smallest: u64,
    /// The number of games that it cannot represent.
    pub(super) unsupported: u64,
    /// Total encoding time.
    pub(super) encode: Duration,
    /// Total decoding time.
    pub(super) decode: Duration,
    /// The parts of the encodings.
    pub(super) parts: PartsSum,
}

impl CodecSums {
    fn add(&mut self, plies: u64, coded: &Coded, is_smallest: bool) {
        self.games += 1;
        self.plies += plies;
        self.bytes += coded.bytes;
        self.smallest += u64::from(is_smallest);
        self.encode += coded.encode;
        self.decode += coded.decode;
        if let Some(parts) = coded.parts {
            self.parts.add(coded.bytes, parts);
        }
    }

    /// 8 × bytes / plies; `None` without plies.
    pub(super) fn bits_per_ply(&self) -> Option<f64> {
        (self.plies > 0).then(|| ratio(8 * self.bytes, self.plies))
    }

    /// Bytes per game; `None` without games.
    pub(super) fn bytes_per_game(&self) -> Option<f64> {
        (self.games > 0).then(|| ratio(self.bytes, self.games))
    }

    /// The share of all games for which the codec is the smallest.
    pub(super) fn smallest_share(&self) -> f64 {
        ratio(self.smallest, self.games + self.unsupported)
    }

    /// Plies encoded per second; `None` if no time was measured.
    pub(super) fn encode_speed(&self) -> Option<f64> {
        plies_per_second(self.plies, self.encode)
    }

    /// Plies decoded per second; `None` if no time was measured.
    pub(super) fn decode_speed(&self) -> Option<f64> {
        plies_per_second(self.plies, self.decode)
    }
}

fn plies_per_second(plies: u64, time: Duration) -> Option<f64> {
    let is_measured = plies > 0 && !time.is_zero();
    is_measured.then(|| plies as f64 / time.as_secs_f64())
}

/// All measurements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CompareTally {
    /// The number of games measured.
    pub(super) games: u64,
    /// Their number of plies.
    pub(super) plies: u64,
    /// The number of games without plies, which are not measured.
    pub(super) without_plies: u64,
    /// The number of games that are not measured for other reasons, by reason.
    pub(super) skipped: BTreeMap<&'static str, u64>,
    /// The sums of each codec.
    pub(super) codecs: Vec<CodecSums>,
    /// The sums of the encodings that `auto` chose.
    pub(super) auto: CodecSums,
}

impl CompareTally {
    /// A tally of this many codecs.
    pub(super) fn new(codecs: usize) -> Self {
        CompareTally {
            games: 0,
            plies: 0,
            without_plies: 0,
            skipped: BTreeMap::new(),
            codecs: vec![CodecSums::default(); codecs],
            auto: CodecSums::default(),
        }
    }

    /// Adds a game with this many plies.
    pub(super) fn add(&mut self, plies: u64, answers: &CodecResults) {
        self.games += 1;
        self.plies += plies;
        let smallest = answers.smallest();
        for (index, (sums, coded)) in self.codecs.iter_mut().zip(&answers.codecs).enumerate() {
            let is_smallest = smallest.is_some_and(|(best, _)| best == index);
            match coded {
                Some(coded) => sums.add(plies, coded, is_smallest),
                None => sums.unsupported += 1,
            }
        }
        match &answers.auto {
            Some(coded) => {
                let is_smallest = smallest.is_some_and(|(_, best)| best.bytes == coded.bytes);
                self.auto.add(plies, coded, is_smallest);
            }
            None => self.auto.unsupported += 1,
        }
    }

    /// Counts a game that is not measured.
    pub(super) fn skip(&mut self, why: &'static str) {
        *self.skipped.entry(why).or_default() += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coded(bytes: u64, parts: Option<LineParts>) -> Option<Coded> {
        Some(Coded {
            bytes,
            encode: Duration::from_secs(bytes),
            decode: Duration::from_secs(2 * bytes),
            parts,
        })
    }

    /// The results of three codecs for a game. `auto` is the index of the one
    /// that `auto` chose.
    fn answers(auto: Option<usize>, codecs: [Option<Coded>; 3]) -> CodecResults {
        CodecResults {
            auto: auto.and_then(|auto| codecs[auto]).map(|coded| Coded {
                encode: Duration::from_secs(100),
                parts: None,
                ..coded
            }),
            codecs: codecs.to_vec(),
        }
    }

    fn tally(games: &[(u64, CodecResults)]) -> CompareTally {
        let mut tally = CompareTally::new(3);
        for (plies, answers) in games {
            tally.add(*plies, answers);
        }
        tally
    }

    #[test]
    fn each_codec_is_summed_over_its_own_games() {
        let tally = tally(&[
            (
                10,
                answers(Some(1), [coded(20, None), coded(15, None), None]),
            ),
            (
                30,
                answers(Some(2), [coded(40, None), None, coded(60, None)]),
            ),
        ]);
        assert_eq!((tally.games, tally.plies), (2, 40));
        let of = |sums: &CodecSums| (sums.games, sums.plies, sums.bytes, sums.smallest);
        let rows: Vec<_> = tally.codecs.iter().map(of).collect();
        assert_eq!(rows, [(2, 40, 60, 1), (1, 10, 15, 1), (1, 30, 60, 0)]);
        let refused: Vec<u64> = tally.codecs.iter().map(|sums| sums.unsupported).collect();
        assert_eq!(refused, [0, 1, 1]);
        assert_eq!(of(&tally.auto), (2, 40, 75, 1));
        assert_eq!(tally.codecs[1].bits_per_ply(), Some(12.0));
        assert_eq!(tally.auto.bytes_per_game(), Some(37.5));
        assert!((tally.codecs[1].smallest_share() - 0.5).abs() < 1e-12);
        assert_eq!(tally.codecs[0].encode_speed(), Some(40.0 / 60.0));
    }

    #[test]
    fn auto_takes_its_own_time_and_decodes_with_the_winner() {
        let tally = tally(&[(
            10,
            answers(Some(1), [coded(20, None), coded(15, None), None]),
        )]);
        assert_eq!(tally.auto.encode, Duration::from_secs(100));
        assert_eq!(tally.auto.decode, Duration::from_secs(30));
    }

    #[test]
    fn the_first_of_equals_is_the_smallest() {
        let answers = answers(None, [None, coded(15, None), coded(15, None)]);
        assert_eq!(answers.smallest().map(|(index, _)| index), Some(1));
    }

    #[test]
    fn no_games_give_no_figures() {
        let nothing = answers(None, [None, None, None]);
        assert_eq!(nothing.smallest(), None);
        let mut tally = tally(&[(10, nothing)]);
        assert_eq!((tally.auto.games, tally.auto.unsupported), (0, 1));
        for sums in [&tally.auto, &tally.codecs[0]] {
            assert_eq!((sums.bits_per_ply(), sums.bytes_per_game()), (None, None));
            assert_eq!((sums.encode_speed(), sums.decode_speed()), (None, None));
        }
        tally.skip("a reason");
        tally.skip("a reason");
        assert_eq!(tally.skipped["a reason"], 2);
    }

    #[test]
    fn parts_and_padding_make_the_bytes() {
        let parts = |trees, start, moves| {
            Some(LineParts {
                trees,
                start,
                moves,
            })
        };
        let first = answers(Some(0), [coded(4, parts(10, 5, 15)), None, None]);
        let second = answers(Some(0), [coded(2, parts(9, 0, 7)), None, None]);
        let tally = tally(&[(1, first), (1, second)]);
        let sum = tally.codecs[0].parts;
        assert_eq!((sum.games, sum.bytes, sum.padding_bits()), (2, 6, 2));
        assert!((sum.per_game(sum.bits.trees) - 9.5).abs() < 1e-12);
        assert_eq!(tally.auto.parts.games, 0);
    }
}
