//! Coding of a field of moves.

use super::coder::{LineCoder, LineError, NO_MOVE, TOO_LONG, advance};
use super::known::{Candidates, MoveSource, NamedMoves, PATTERNS};
use super::recent::Recent;
use super::text::{MAX_PLIES, Style, TextLine};
use crate::chess::{ChessPosition, Color, PlyKind};
use crate::codec::distributions::{Family, SymbolCoder, SymbolContext};
use crate::model::BuiltinFollower;
use std::collections::BTreeMap;

/// A position of the game from which a line in a comment may start.
#[derive(Debug, Clone)]
pub struct LineState<'t> {
    /// The position.
    pub position: ChessPosition,
    /// The state at this position of the model that coded the game; `None` if
    /// no model did.
    pub game: Option<BuiltinFollower<'t>>,
}

impl LineState<'_> {
    /// Plays a ply. Returns `None` if it is not legal.
    pub fn play(&mut self, ply: PlyKind) -> Option<()> {
        self.position.make(ply).ok()?;
        match &mut self.game {
            Some(game) => game.advance(ply),
            None => Some(()),
        }
    }
}

/// The number of kinds of fields.
pub const KINDS: u32 = 16;

/// Contexts for the number of moves of the last line.
const COUNTS: u32 = 32;
/// Contexts for the number of consecutive candidates just before a move.
const RUNS: u32 = 7;
/// Contexts for the index of a move in its line.
const PLACES: u32 = 3;

const COUNT: usize = 0;
const BACK: usize = 1;
const STYLE: usize = 2;
const CANDIDATE: usize = 3;
const REST: usize = 4;
const REST_BYTES: usize = 5;
const REST_BYTE: usize = 6;

/// The symbol families of the lines.
pub const FAMILIES: [Family; 7] = [
    Family::numbers(KINDS, COUNTS),
    Family {
        symbols: 4,
        outer: KINDS,
        inner: 5,
    },
    Family {
        symbols: 2,
        outer: KINDS,
        inner: 1,
    },
    Family {
        symbols: 5,
        outer: PATTERNS,
        inner: 2 * RUNS * PLACES,
    },
    Family {
        symbols: 2,
        outer: KINDS,
        inner: 2,
    },
    Family::numbers(KINDS, 1),
    Family::without_contexts(256),
];

/// The symbol for a move that is none of the candidates.
const NO_CANDIDATE: u8 = 4;

/// Codes the fields of moves of a record in order.
#[derive(Debug, Clone, Default)]
pub struct MoveLines {
    known: NamedMoves,
    /// The last line for each kind of field and side.
    last: BTreeMap<(u32, bool), Last>,
}

/// What is remembered of a line.
#[derive(Debug, Clone, Copy)]
struct Last {
    back: u8,
    style: Style,
    plies: usize,
}

/// The content of a field.
#[derive(Debug, Clone, Default)]
struct MoveField {
    /// The line starts this many plies back.
    back: u8,
    line: TextLine,
    /// The text after the line.
    rest: Vec<u8>,
}

impl MoveLines {
    /// Starts a record with these known moves.
    pub fn new(known: NamedMoves) -> Self {
        MoveLines {
            known,
            last: BTreeMap::new(),
        }
    }

    /// Codes one field and returns its text. `kind` is below [`KINDS`], and
    /// `places` is at the comment of the field. A reader passes no `given`
    /// text. The text has at most `budget` bytes.
    ///
    /// # Errors
    /// The bits do not encode a field, or the text exceeds `budget`.
    pub fn field(
        &mut self,
        coder: &mut impl LineCoder,
        kind: u32,
        places: &Recent<LineState<'_>>,
        given: Option<&[u8]>,
        budget: usize,
    ) -> Result<Vec<u8>, LineError> {
        let side = !places.now().position.turn();
        let last = self.last.get(&(kind, side.is_white())).copied();
        let given = given.map(|text| self.choose(text, places, last));
        let field = self.code(coder, (kind, side), places, given, budget)?;
        let mut text = Vec::new();
        if let Some(start) = places.back(field.back) {
            let written = field.line.write(&start.position, &mut text);
            written.ok_or(NO_MOVE)?;
        }
        text.extend_from_slice(&field.rest);
        if text.len() > budget {
            return Err(TOO_LONG);
        }
        Ok(text)
    }

    /// The longest line at the start of a text, over all places where it may
    /// start.
    fn choose(&self, text: &[u8], places: &Recent<LineState<'_>>, last: Option<Last>) -> MoveField {
        let style = last.map_or(Style::default(), |last| last.style);
        let read = |back| {
            let start = places.back(back)?;
            let (line, bytes) = TextLine::read(text, &start.position, style)?;
            let is_known = || {
                let key = start.game.as_ref()?.key();
                Some(self.known.has(key, *line.plies.first()?))
            };
            let is_known = is_known() == Some(true);
            let rest = text.get(bytes..).unwrap_or_default().to_vec();
            Some((bytes, is_known, MoveField { back, line, rest }))
        };
        let is_whole = |(bytes, ..): &(usize, bool, MoveField)| *bytes == text.len();
        let as_before = last.and_then(|last| read(last.back)).filter(is_whole);
        let best = as_before.or_else(|| {
            let all = [3, 2, 0, 1].into_iter().filter_map(read);
            all.max_by_key(|(bytes, is_known, _)| (*bytes, *is_known))
        });
        best.map_or_else(
            || MoveField {
                rest: text.to_vec(),
                ..MoveField::default()
            },
            |(_, _, field)| field,
        )
    }

    fn code(
        &mut self,
        coder: &mut impl LineCoder,
        (kind, side): (u32, Color),
        places: &Recent<LineState<'_>>,
        given: Option<MoveField>,
        budget: usize,
    ) -> Result<MoveField, LineError> {
        let is_given = given.is_some();
        let mut field = given.unwrap_or_default();
        let last = self.last.get(&(kind, side.is_white())).copied();
        let of_kind = |family, inner| SymbolContext {
            family,
            outer: kind,
            inner,
        };
        let class = count_class(last.map_or(0, |last| last.plies));
        let plies = field.line.plies.len() as u64;
        let plies = coder.number(of_kind(COUNT, class), plies)?;
        // A move takes at least two bytes of text.
        let most = MAX_PLIES.min(budget / 2);
        let plies = usize::try_from(plies).ok().filter(|plies| *plies <= most);
        let plies = plies.ok_or(TOO_LONG)?;
        if plies > 0 {
            let inner = last.map_or(0, |last| u32::from(last.back) + 1);
            field.back = coder.symbol(of_kind(BACK, inner), field.back)?;
            let style = last.map_or(Style::default(), |last| last.style);
            field.line.style = code_style(coder, of_kind(STYLE, 0), style, field.line.style)?;
            let start = places.back(field.back).ok_or(NO_MOVE)?;
            let given = is_given.then_some(field.line.plies.as_slice());
            field.line.plies = self.plies(coder, side, start, given, plies)?;
            let last = Last {
                back: field.back,
                style: field.line.style,
                plies,
            };
            self.last.insert((kind, side.is_white()), last);
        }
        let has_rest = u8::from(!field.rest.is_empty());
        let inner = u32::from(plies == 0);
        if coder.symbol(of_kind(REST, inner), has_rest)? == 1 {
            let bytes = field.rest.len() as u64;
            let bytes = coder.number(of_kind(REST_BYTES, 0), bytes)?;
            let bytes = usize::try_from(bytes).ok().filter(|bytes| *bytes <= budget);
            let bytes = bytes.ok_or(TOO_LONG)?;
            if bytes == 0 {
                return Err(LineError::Invalid("no text where it is said to follow"));
            }
            field.rest.resize(bytes, 0);
            for byte in &mut field.rest {
                *byte = coder.symbol(SymbolContext::only(REST_BYTE), *byte)?;
            }
        }
        Ok(field)
    }

    /// Codes the moves of a line.
    fn plies(
        &mut self,
        coder: &mut impl LineCoder,
        side: Color,
        start: &LineState<'_>,
        given: Option<&[PlyKind]>,
        count: usize,
    ) -> Result<Vec<PlyKind>, LineError> {
        let nth = |number: usize| given.and_then(|plies| plies.get(number).copied());
        let Some(game) = &start.game else {
            let mut position = start.position.clone();
            let plies = (0..count).map(|number| code_any(coder, &mut position, nth(number)));
            return plies.collect();
        };
        let mut game = game.variation();
        let (mut plies, mut keys) = (Vec::new(), Vec::new());
        let (mut run, mut has_left) = (0u32, false);
        for number in 0..count {
            let key = game.key();
            let known = self.known.candidates(key, side, |ply| game.is_legal(ply));
            let mut found = None;
            if !known.plies.is_empty() {
                let place = candidate_place(&known, run, number, has_left);
                found = code_candidate(coder, place, &known, nth(number))?;
                has_left |= found.is_none();
            }
            run = if found.is_some() { run + 1 } else { 0 };
            let ply = match found {
                Some(_) => advance(&mut game, found)?,
                None => coder.unknown(&mut game, nth(number), &known.plies)?,
            };
            plies.push(ply);
            keys.push(key);
        }
        for (key, ply) in keys.into_iter().zip(&plies) {
            self.known.note(key, MoveSource::Line(side), *ply);
        }
        Ok(plies)
    }
}

/// Codes a style: the previous one, or an explicit one.
fn code_style(
    coder: &mut impl SymbolCoder,
    place: SymbolContext,
    before: Style,
    style: Style,
) -> Result<Style, LineError> {
    if coder.symbol(place, u8::from(style != before))? == 0 {
        return Ok(before);
    }
    let number = coder.bits(Style::BITS, style.to_number())?;
    Style::from_number(number).ok_or(LineError::Invalid("no such style of a line"))
}

fn candidate_place(known: &Candidates, run: u32, number: usize, has_left: bool) -> SymbolContext {
    let run = match run {
        0..4 => run,
        4..8 => 4,
        8..16 => 5,
        _ => 6,
    };
    let number = u32::try_from(number).unwrap_or(u32::MAX).min(PLACES - 1);
    SymbolContext {
        family: CANDIDATE,
        outer: known.pattern,
        inner: (u32::from(has_left) * PLACES + number) * RUNS + run,
    }
}

/// Codes which of the candidates a move is; `None` if it is none of them.
fn code_candidate(
    coder: &mut impl SymbolCoder,
    place: SymbolContext,
    known: &Candidates,
    given: Option<PlyKind>,
) -> Result<Option<PlyKind>, LineError> {
    let symbol = known.plies.iter().position(|ply| Some(*ply) == given);
    let symbol = symbol.and_then(|symbol| u8::try_from(symbol).ok());
    let symbol = coder.symbol(place, symbol.unwrap_or(NO_CANDIDATE))?;
    let ply = known.plies.get(usize::from(symbol)).copied();
    if ply.is_none() && symbol != NO_CANDIDATE {
        return Err(LineError::Invalid("a line in a comment has no such move"));
    }
    Ok(ply)
}

/// Codes a move as its index among the legal moves.
fn code_any(
    coder: &mut impl SymbolCoder,
    position: &mut ChessPosition,
    given: Option<PlyKind>,
) -> Result<PlyKind, LineError> {
    let number = match given {
        Some(ply) => {
            position
                .clone()
                .play_numbered(ply)
                .map_err(|_| NO_MOVE)?
                .index
        }
        None => 0,
    };
    let played = position.play_nth(|count| {
        let bits = count.next_power_of_two().trailing_zeros();
        let number = coder.bits(bits, number.into())?;
        u32::try_from(number).map_err(|_| NO_MOVE)
    });
    played?.ok_or(NO_MOVE)
}

/// The context of a number of moves.
fn count_class(plies: usize) -> u32 {
    let plies = u32::try_from(plies).unwrap_or(u32::MAX);
    match plies {
        0..16 => plies,
        _ => (16 + 4 * (plies.ilog2() - 4) + (plies >> (plies.ilog2() - 2) & 3)).min(COUNTS - 1),
    }
}

#[cfg(test)]
mod tests;
