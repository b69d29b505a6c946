//! The fields whose values come from the movetext.

use super::super::filter::Literal;
use super::operand::{FLAGS, Operand};
use super::values::ReadGame;
use crate::archive::Error;
use crate::pgn::{self, LexemeKind, Scanner, VerbatimReason};
use crate::text::TextEncoding;
use std::borrow::Cow;

/// A field whose values come from the movetext.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GameField {
    Plies,
    Mate,
    Words,
    Verbatim,
    Comments,
    Nag,
    Eval,
    Clock,
}

impl GameField {
    pub(super) const ALL: [GameField; 8] = [
        GameField::Plies,
        GameField::Mate,
        GameField::Words,
        GameField::Verbatim,
        GameField::Comments,
        GameField::Nag,
        GameField::Eval,
        GameField::Clock,
    ];

    pub(super) fn by_name(name: &str) -> Option<GameField> {
        let mut all = GameField::ALL.into_iter();
        all.find(|field| field.name().eq_ignore_ascii_case(name))
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            GameField::Plies => "plies",
            GameField::Mate => "mate",
            GameField::Words => "words",
            GameField::Verbatim => "verbatim",
            GameField::Comments => "comments",
            GameField::Nag => "nag",
            GameField::Eval => "eval",
            GameField::Clock => "clock",
        }
    }

    pub(super) fn about(self) -> &'static str {
        match self {
            GameField::Plies => "the number of plies of the main line",
            GameField::Mate => "yes if the main line ends with mate, otherwise no",
            GameField::Words => "yes if there are words among the moves that are no moves",
            GameField::Verbatim => "why a part of the game is stored verbatim, if one is",
            GameField::Comments => "each comment, also in variations",
            GameField::Nag => "each glyph as its number: 1 is !, 2 is ?, 3 is !!",
            GameField::Eval => {
                "each evaluation [%eval …] in pawns for White; mate in n is 20,000,000 - n/100"
            }
            GameField::Clock => "each clock time [%clk …] in seconds",
        }
    }

    pub(super) fn is_number(self) -> bool {
        !self.is_flag() && !matches!(self, GameField::Verbatim | GameField::Comments)
    }

    /// Whether each game has the value yes or no.
    pub(crate) fn is_flag(self) -> bool {
        matches!(self, GameField::Mate | GameField::Words)
    }

    pub(super) fn is_list(self) -> bool {
        !self.is_flag() && !matches!(self, GameField::Plies | GameField::Verbatim)
    }

    /// A value of a filter in the form in which it is compared, or what is expected instead.
    pub(super) fn literal(
        self,
        mut literal: Literal,
        is_ordered: bool,
    ) -> Result<Literal, &'static str> {
        let is_number = literal.number().is_some();
        let text = literal.text.as_bytes();
        let number = match self {
            GameField::Verbatim | GameField::Comments => return Ok(literal),
            _ if self.is_flag() && is_ordered => return Err("it is yes or no, without an order"),
            GameField::Mate | GameField::Words => {
                let is_flag = FLAGS
                    .iter()
                    .any(|(word, _)| literal.text.eq_ignore_ascii_case(word));
                return is_flag.then_some(literal).ok_or("expected yes or no");
            }
            _ if is_number => None,
            GameField::Plies => return Err("expected a number"),
            GameField::Nag => {
                Some(glyph(text).ok_or("expected a number, or a glyph in quotes: \"!?\"")?)
            }
            GameField::Eval => {
                let value = pgn::read_eval(text).map(pawns);
                Some(value.ok_or("expected pawns such as -1.5, or a mate such as #3")?)
            }
            GameField::Clock => {
                let value = clock(&literal.text);
                Some(value.ok_or("expected seconds, or a time such as 0:30 or 1:30:00")?)
            }
        };
        if let Some(number) = number {
            literal.text = number.to_string();
        }
        literal.is_quoted &= number.is_none();
        Ok(literal)
    }

    /// The values of a game.
    pub(super) fn values(
        self,
        game: &dyn ReadGame,
        encoding: TextEncoding,
    ) -> Result<Vec<Operand<'static>>, Error> {
        match self {
            GameField::Plies => Ok(vec![Operand::Number(game.plies()? as f64)]),
            GameField::Mate => Ok(vec![Operand::Flag(ends_with_mate(game)?)]),
            GameField::Words => Ok(vec![Operand::Flag(game.has_words()?)]),
            GameField::Verbatim => {
                let reason = game.verbatim_reason()?.map(VerbatimReason::describe);
                Ok(reason
                    .map(|text| Operand::Text(text.into()))
                    .into_iter()
                    .collect())
            }
            _ if !game.may_have_marks()? => Ok(Vec::new()),
            _ => Ok(self.values_in(&game.text()?, encoding)),
        }
    }

    fn values_in(self, text: &[u8], encoding: TextEncoding) -> Vec<Operand<'static>> {
        let lexemes = Scanner::new(text).filter_map(|lexeme| {
            let of_lexeme = text.get(lexeme.start..lexeme.end)?;
            let is_comment = matches!(lexeme.kind, LexemeKind::Comment | LexemeKind::LineComment);
            Some(match self {
                GameField::Nag if lexeme.kind == LexemeKind::Nag => {
                    let digits = std::str::from_utf8(of_lexeme.get(1..)?).ok()?;
                    Operand::Number(digits.parse::<u32>().ok()?.into())
                }
                GameField::Nag if lexeme.kind == LexemeKind::Glyph => {
                    Operand::Number(glyph(of_lexeme)?)
                }
                GameField::Eval if is_comment => Operand::Number(pawns(pgn::eval(of_lexeme)?)),
                GameField::Clock if is_comment => Operand::Number(seconds(pgn::clock(of_lexeme)?)),
                GameField::Comments if is_comment => {
                    let inner = inner(of_lexeme, lexeme.kind == LexemeKind::Comment);
                    let line = pgn::on_one_line(inner);
                    Operand::Text(Cow::Owned(encoding.decode(&line).trim().to_owned()))
                }
                _ => return None,
            })
        });
        lexemes.collect()
    }
}

/// The text of a comment without its braces or its semicolon.
fn inner(comment: &[u8], is_in_braces: bool) -> &[u8] {
    let rest = comment.get(1..).unwrap_or_default();
    match is_in_braces {
        true => rest.strip_suffix(b"}").unwrap_or(rest),
        false => rest,
    }
}

fn pawns(centipawns: i32) -> f64 {
    f64::from(centipawns) / 100.0
}

fn seconds(millis: i32) -> f64 {
    f64::from(millis) / 1000.0
}

/// The number of a glyph such as `!?`, by the PGN standard, section 8.2.4.
fn glyph(text: &[u8]) -> Option<f64> {
    let glyphs: [&[u8]; 6] = [b"!", b"?", b"!!", b"??", b"!?", b"?!"];
    let number = (1u8..).zip(glyphs).find(|(_, glyph)| *glyph == text);
    number.map(|(number, _)| number.into())
}

/// Parses `m:ss` and `h:mm:ss` as seconds.
fn clock(text: &str) -> Option<f64> {
    let of_hours = match text.bytes().filter(|byte| *byte == b':').count() {
        1 => format!("0:{text}"),
        _ => text.to_owned(),
    };
    pgn::read_clock(of_hours.as_bytes()).map(seconds)
}

/// Whether the main line ends with mate.
fn ends_with_mate(game: &dyn ReadGame) -> Result<bool, Error> {
    let Some(moves) = game.moves()? else {
        return Ok(false);
    };
    Ok(moves.last_of_main_line().is_checkmate())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(field: GameField, text: &str) -> Vec<String> {
        let values = field.values_in(text.as_bytes(), TextEncoding::default());
        values.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn marks_are_read_in_all_lines() {
        let text =
            "1. e4! { good [%eval 0.3] [%clk 0:01:30.5] } (1. d4 $5 {two\nlines}) 1... e5 ; end";
        for (field, expected) in [
            (
                GameField::Comments,
                vec!["good [%eval 0.3] [%clk 0:01:30.5]", "two lines", "end"],
            ),
            (GameField::Nag, vec!["1", "5"]),
            (GameField::Eval, vec!["0.3"]),
            (GameField::Clock, vec!["90.5"]),
        ] {
            assert_eq!(values(field, text), expected, "{field:?}");
        }
    }

    #[test]
    fn values_of_filters_are_read() {
        let read = |field: GameField, text: &str, is_quoted| {
            let text = text.to_owned();
            field
                .literal(Literal { text, is_quoted }, false)
                .map(|literal| literal.text)
        };
        for (field, text, is_quoted, expected) in [
            (GameField::Nag, "!?", true, Ok("5")),
            (GameField::Nag, "14", false, Ok("14")),
            (GameField::Eval, "-1.5", false, Ok("-1.5")),
            (GameField::Eval, "#3", false, Ok("19999999.97")),
            (GameField::Clock, "0:30", false, Ok("30")),
            (GameField::Clock, "1:30:00", false, Ok("5400")),
            (GameField::Mate, "Yes", false, Ok("Yes")),
        ] {
            let found = read(field, text, is_quoted);
            assert_eq!(found.as_deref(), expected.as_ref().copied(), "{text}");
        }
        for (field, text) in [
            (GameField::Nag, "x"),
            (GameField::Eval, "#x"),
            (GameField::Clock, "1:2:3:4"),
            (GameField::Mate, "maybe"),
            (GameField::Plies, "five"),
        ] {
            assert!(read(field, text, false).is_err(), "{text}");
        }
    }
}
