//! What is never undone in games behind the lines that they share, game by game.

use super::board::home_pawns;
use super::event::{CLASS_CONTEXTS, CONTEXTS, Context, Stand};
use super::line::Line;
use super::search::Sought;
use super::tree::OpeningTree;
use crate::bits::{BitReader, BitWriter, ByteReader, put_bytes, put_varint};
use crate::chess::{Position, Skeleton};
use crate::codec::error::CodecError;
use crate::codec::huffman::{CodeTable, Tree};
use crate::codec::ints;
use crate::limits::Limits;
use rayon::prelude::*;
use std::collections::VecDeque;

/// The tails of the games of a tree, in its order.
#[derive(Debug, Clone)]
pub struct Tails {
    trees: Vec<Option<Tree>>,
    /// How many men White and Black have in the last position of each game, and which
    /// pawns are at home there.
    ends: Vec<([u8; 2], u16)>,
    /// Where the bits of each game begin, and where the last ends.
    starts: Vec<u64>,
    bits: Vec<u8>,
}

/// The tail of a game that is to be written.
struct Tail {
    symbols: Vec<(usize, u8)>,
    last: Skeleton,
}

impl Tail {
    /// The tail of a line behind so many plies, if all of it can be played.
    fn of(line: &Line, shared: usize) -> Option<Tail> {
        let mut position = Position::standard();
        let mut plies = line.plies.iter();
        for ply in plies.by_ref().take(shared) {
            position.play(ply.ply()).ok()?;
        }
        let mut symbols = Vec::new();
        let mut stand = Stand::new(position.skeleton());
        for ply in plies {
            position.play(ply.ply()).ok()?;
            let skeleton = position.skeleton();
            if skeleton != stand.skeleton {
                stand.write(skeleton, |context, symbol| {
                    symbols.push((context.number(), symbol));
                });
            }
        }
        Some(Tail {
            symbols,
            last: stand.skeleton,
        })
    }
}

impl Tails {
    /// The section of the tails of games, whose main lines are those that the tree was
    /// built of. `None` if a line cannot be played.
    pub fn build(tree: &OpeningTree, lines: &[Option<Line>]) -> Option<Vec<u8>> {
        let shared = tree.shared_plies();
        let games = tree.order().par_iter().zip(shared.par_iter());
        let tails = games.map(|(game, shared)| {
            let line = lines.get(usize::try_from(*game).ok()?)?.as_ref()?;
            Tail::of(line, *shared)
        });
        let tails: Vec<Tail> = tails.collect::<Option<_>>()?;
        let mut counts = [[0u64; 32]; CONTEXTS];
        for (context, symbol) in tails.iter().flat_map(|tail| &tail.symbols) {
            let count = counts.get_mut(*context);
            let count = count.and_then(|counts| counts.get_mut(usize::from(*symbol)));
            *count? += 1;
        }
        for counts in counts.iter_mut().take(CLASS_CONTEXTS) {
            // Each event takes a bit at least, so that the bits tell how many there are.
            if counts.iter().filter(|count| **count > 0).count() == 1 {
                let unused = counts.iter_mut().find(|count| **count == 0);
                *unused? = 1;
            }
        }
        let trees: Vec<Option<Tree>> = counts.iter().map(Tree::from_counts).collect();
        let codes: Vec<Option<CodeTable>> = trees
            .iter()
            .map(|tree| tree.as_ref().map(CodeTable::new))
            .collect();
        let mut bits = BitWriter::new();
        let mut lengths = Vec::with_capacity(tails.len());
        for tail in &tails {
            let before = bits.bit_len();
            for (context, symbol) in &tail.symbols {
                let codes = codes.get(*context)?.as_ref()?;
                codes.get(*symbol)?.write(&mut bits);
            }
            lengths.push(bits.bit_len() - before);
        }
        let mut out = Vec::new();
        put_varint(&mut out, tails.len() as u64);
        put_bytes(&mut out, &write_trees(&trees));
        let mut column = |value: fn(&Skeleton) -> u64| {
            let values: Vec<u64> = tails.iter().map(|tail| value(&tail.last)).collect();
            put_bytes(&mut out, &ints::encode(&values));
        };
        column(|last| last.men(0).into());
        column(|last| last.men(1).into());
        column(|last| home_pawns(last).into());
        put_bytes(&mut out, &ints::encode(&lengths));
        out.extend(bits.into_bytes());
        Some(out)
    }

    /// Reads the section of the tails of so many games.
    ///
    /// # Errors
    /// It is damaged, of another segment, or a limit is reached.
    pub fn parse(payload: &[u8], games: usize, limits: &Limits) -> Result<Tails, CodecError> {
        let mut reader = ByteReader::new(payload);
        if reader.length()? != games {
            return Err(CodecError::Damaged("tails of another number of games"));
        }
        let trees = read_trees(reader.bytes()?)?;
        let mut column = || ints::decode(reader.bytes()?, games, limits);
        let [white, black, home, lengths] = [column()?, column()?, column()?, column()?];
        let men = |count: &u64| u8::try_from(*count).unwrap_or(u8::MAX);
        let men = white.iter().zip(&black).map(|(w, b)| [men(w), men(b)]);
        let home = home.iter().map(|home| u16::try_from(*home));
        let ends = men.zip(home).map(|(men, home)| Ok((men, home?)));
        let ends: Result<_, std::num::TryFromIntError> = ends.collect();
        let mut starts = Vec::with_capacity(games.saturating_add(1));
        let mut end = 0u64;
        starts.push(end);
        for length in lengths {
            end = end.saturating_add(length);
            starts.push(end);
        }
        let bits = reader.rest();
        if end.div_ceil(8) != bits.len() as u64 {
            return Err(CodecError::Damaged("tails of another length"));
        }
        Ok(Tails {
            trees,
            ends: ends.map_err(|_| CodecError::Damaged("pawns at home that cannot be"))?,
            starts,
            bits: bits.to_vec(),
        })
    }

    /// The places of the games that may have what is sought, as far as their ends tell.
    pub(super) fn possible(&self, sought: &(impl Sought + ?Sized)) -> VecDeque<usize> {
        let ends = self.ends.iter().enumerate();
        let possible = ends.filter(|(_, (men, home))| sought.may_be_before(*men, *home));
        possible.map(|(place, _)| place).collect()
    }

    /// Whether the tail of a game may reach what is sought, beginning at a skeleton
    /// that is not it.
    pub(super) fn may_reach(
        &self,
        place: usize,
        skeleton: Skeleton,
        sought: &(impl Sought + ?Sized),
    ) -> Result<bool, CodecError> {
        const MISSING: CodecError = CodecError::Damaged("a tail that is missing");
        let start = self.starts.get(place).ok_or(MISSING)?;
        let end = *self.starts.get(place + 1).ok_or(MISSING)?;
        let first = usize::try_from(start / 8).map_err(|_| MISSING)?;
        let mut bits = BitReader::new(self.bits.get(first..).ok_or(MISSING)?);
        bits.read_bits(u32::try_from(start % 8).map_err(|_| MISSING)?)?;
        let end = end - (start - start % 8);
        let mut stand = Stand::new(skeleton);
        while bits.position() < end {
            stand.read(|context: Context| {
                let tree = self.trees.get(context.number()).and_then(Option::as_ref);
                let tree = tree.ok_or(CodecError::Damaged("a symbol without a tree"))?;
                Ok(tree.decode(&mut bits)?)
            })?;
            if bits.position() > end {
                return Err(CodecError::Damaged("an event behind the end of a tail"));
            }
            if sought.may_be(&stand.skeleton) {
                return Ok(true);
            }
            if sought.is_behind(&stand.skeleton) {
                return Ok(false);
            }
        }
        Ok(false)
    }
}

/// The trees: a bit each that tells whether it is there, and the tree.
fn write_trees(trees: &[Option<Tree>]) -> Vec<u8> {
    let mut out = BitWriter::new();
    for (number, tree) in trees.iter().enumerate() {
        out.push_bit(tree.is_some());
        if let Some(tree) = tree {
            tree.write(Context::alphabet(number), &mut out);
        }
    }
    out.into_bytes()
}

fn read_trees(bytes: &[u8]) -> Result<Vec<Option<Tree>>, CodecError> {
    let mut bits = BitReader::new(bytes);
    let mut trees = Vec::with_capacity(CONTEXTS);
    for number in 0..CONTEXTS {
        let tree = match bits.read_bit()? {
            true => Some(Tree::read(Context::alphabet(number), &mut bits)),
            false => None,
        };
        let tree = tree.transpose();
        let tree = tree.map_err(|_| CodecError::Damaged("a tree of codes that is none"))?;
        let is_leaf = tree.as_ref().is_some_and(|tree| tree.ids().len() == 1);
        if is_leaf && number < CLASS_CONTEXTS {
            return Err(CodecError::Damaged("classes of events without bits"));
        }
        trees.push(tree);
    }
    bits.finish()?;
    Ok(trees)
}
