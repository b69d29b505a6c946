//! Patterns: groups of marks without the values of their fields.

use crate::bits::{BitsError, ByteReader, put_varint};
use crate::pgn::Mark;
use foldhash::HashMap;

/// A segment has at most this many patterns. Symbol 0 means that a group has
/// none.
pub const MAX_PATTERNS: usize = 255;
/// A pattern has at most this many marks.
pub const MAX_PATTERN_MARKS: usize = 32;

/// A mark in a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Sign {
    /// A comment with this template.
    Note(u16),
    /// Any other mark, including a comment whose template is not named.
    Mark(Mark),
}

/// The tag byte of a comment with a template.
const NOTE: u8 = 8;

impl Sign {
    fn write(self, out: &mut Vec<u8>) {
        match self {
            Sign::Note(template) => {
                out.push(NOTE);
                put_varint(out, template.into());
            }
            Sign::Mark(mark) => mark.write(out),
        }
    }

    fn read(input: &mut ByteReader<'_>, templates: usize) -> Result<Option<Sign>, BitsError> {
        if input.rest().first() == Some(&NOTE) {
            input.u8()?;
            let template = u16::try_from(input.varint()?).ok();
            let template = template.filter(|template| usize::from(*template) < templates);
            return Ok(template.map(Sign::Note));
        }
        Ok(Mark::read(input)?.map(Sign::Mark))
    }
}

/// The patterns of a segment.
#[derive(Debug, Clone, Default)]
pub(super) struct Patterns {
    patterns: Vec<Vec<Sign>>,
    by_signs: HashMap<Vec<Sign>, u8>,
}

impl Patterns {
    pub(super) fn new(patterns: Vec<Vec<Sign>>) -> Self {
        let numbers = patterns.iter().cloned().zip(1..);
        Patterns {
            by_signs: numbers.collect(),
            patterns,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.patterns.len()
    }

    /// The symbol of a pattern, or 0 if it is not in the table.
    pub(super) fn symbol(&self, signs: &[Sign]) -> u8 {
        self.by_signs.get(signs).copied().unwrap_or(0)
    }

    /// The pattern of a symbol.
    pub(super) fn get(&self, symbol: u8) -> Option<&[Sign]> {
        let pattern = self.patterns.get(usize::from(symbol).checked_sub(1)?)?;
        Some(pattern)
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        for pattern in &self.patterns {
            put_varint(out, pattern.len() as u64);
            pattern.iter().for_each(|sign| sign.write(out));
        }
    }

    /// Reads `count` patterns. Returns `Ok(None)` if they are malformed.
    pub(super) fn read(
        input: &mut ByteReader<'_>,
        count: usize,
        templates: usize,
    ) -> Result<Option<Patterns>, BitsError> {
        let mut patterns = Vec::new();
        for _ in 0..count {
            let len = input.length()?;
            if len > MAX_PATTERN_MARKS || patterns.len() >= MAX_PATTERNS {
                return Ok(None);
            }
            let mut signs = Vec::new();
            for _ in 0..len {
                let Some(sign) = Sign::read(input, templates)? else {
                    return Ok(None);
                };
                signs.push(sign);
            }
            patterns.push(signs);
        }
        Ok(Some(Patterns::new(patterns)))
    }
}
