//! Styles in which programs and sites write games, one function for each.

use std::fmt::Write as _;

use shakmaty::Color;

use super::game::{Eval, Game};

/// The tag pairs, one on each line, followed by an empty line.
fn tag_section(game: &Game, eol: &str) -> String {
    let mut out = String::new();
    for (name, value) in &game.tags {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        write!(out, "[{name} \"{value}\"]{eol}").expect("a string");
    }
    out + eol
}

/// Breaks lines between tokens so that none is longer than `width`.
fn wrap(text: &str, width: usize, eol: &str) -> String {
    let (mut out, mut used) = (String::new(), 0);
    for token in text.split(' ') {
        if used > 0 && used + 1 + token.len() > width {
            out += eol;
            used = 0;
        } else if used > 0 {
            out += " ";
            used += 1;
        }
        out += token;
        used += token.len();
    }
    out
}

/// `1. e4 e5 2. Nf3`, or `12... Qd7` where Black moves first.
fn movetext(game: &Game) -> String {
    let mut out = String::new();
    for (at, (number, side, ply)) in game.numbered().enumerate() {
        match side {
            Color::White => write!(out, "{number}. {} ", ply.san),
            Color::Black if at == 0 => write!(out, "{number}... {} ", ply.san),
            Color::Black => write!(out, "{} ", ply.san),
        }
        .expect("a string");
    }
    out + game.result
}

/// `1.e4 e5 2.Nf3`, broken only before a White move, once the line has 72
/// characters; two spaces before the result; CRLF.
pub(crate) fn crlf_72_before_white(game: &Game) -> String {
    let (mut out, mut line) = (tag_section(game, "\r\n"), String::new());
    for (number, side, ply) in game.numbered() {
        if side == Color::White && line.len() >= 72 {
            out += &line;
            out += "\r\n";
            line.clear();
        } else if !line.is_empty() {
            line += " ";
        }
        if side == Color::White {
            write!(line, "{number}.").expect("a string");
        }
        line += &ply.san;
    }
    format!("{out}{line}  {}\r\n\r\n", game.result)
}

/// Export format: lines wrapped at 80 by token.
pub(crate) fn lf_80_greedy(game: &Game) -> String {
    format!(
        "{}{}\n\n",
        tag_section(game, "\n"),
        wrap(&movetext(game), 80, "\n")
    )
}

/// All moves on one line.
pub(crate) fn one_line(game: &Game) -> String {
    format!("{}{}\n\n", tag_section(game, "\n"), movetext(game))
}

/// As [`one_line`], with two empty lines after each game.
pub(crate) fn two_blank_lines(game: &Game) -> String {
    one_line(game) + "\n"
}

/// The moves alone, wrapped at 80.
pub(crate) fn no_tags(game: &Game) -> String {
    format!("{}\n\n", wrap(&movetext(game), 80, "\n"))
}

fn clock(seconds: u32) -> String {
    format!(
        "{}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
}

/// The clock of each ply: `base` seconds a side, less the time spent, plus
/// `increment` seconds a move.
fn clocks(game: &Game, base: u32, increment: u32) -> Vec<u32> {
    let mut left = [base, base];
    let plies = game.plies.iter().enumerate();
    plies
        .map(|(at, ply)| {
            let spent = if at < 2 { 0 } else { ply.seconds };
            left[at % 2] = left[at % 2].saturating_sub(spent).max(1);
            left[at % 2] += if at < 2 { 0 } else { increment };
            left[at % 2]
        })
        .collect()
}

fn decimal(centipawns: i32) -> String {
    let sign = if centipawns < 0 { "-" } else { "" };
    let size = centipawns.unsigned_abs();
    let text = format!("{sign}{}.{:02}", size / 100, size % 100);
    // Lichess writes 0.1, not 0.10, but 0.0.
    text.strip_suffix('0').map(str::to_owned).unwrap_or(text)
}

fn eval(eval: Eval) -> String {
    match eval {
        Eval::Centipawns(n) => format!("[%eval {}] ", decimal(n)),
        Eval::MateNext(winner) => format!("[%eval {}] ", winner.fold_wb("#1", "#-1")),
        Eval::Mate => String::new(),
    }
}

/// Which comments the Lichess export carries.
#[derive(Clone, Copy)]
pub(crate) struct Comments {
    pub(crate) evals: bool,
    pub(crate) base: u32,
    pub(crate) increment: u32,
}

/// `1. e4 { [%eval 0.1] [%clk 0:03:00] } 1... c5 { … }`, on one line.
pub(crate) fn lichess(game: &Game, comments: Comments) -> String {
    let mut out = tag_section(game, "\n");
    let clocks = clocks(game, comments.base, comments.increment);
    for ((number, side, ply), left) in game.numbered().zip(clocks) {
        let dots = side.fold_wb(".", "...");
        let eval = if comments.evals {
            eval(ply.eval)
        } else {
            String::new()
        };
        let clock = clock(left);
        write!(
            out,
            "{number}{dots} {} {{ {eval}[%clk {clock}] }} ",
            ply.san
        )
        .expect("a string");
    }
    format!("{out}{}\n\n", game.result)
}

/// `1. d4 {[%clk 1:30:57]} Nf6 {[%clk`, wrapped at 80 also inside the braces.
pub(crate) fn wrapped_inside_comments(game: &Game) -> String {
    let mut text = String::new();
    for ((number, side, ply), left) in game.numbered().zip(clocks(game, 5_400, 30)) {
        if side == Color::White {
            write!(text, "{number}. ").expect("a string");
        }
        write!(text, "{} {{[%clk {}]}} ", ply.san, clock(left)).expect("a string");
    }
    let moves = wrap(&(text + game.result), 80, "\r\n");
    format!("{}{moves}\r\n\r\n", tag_section(game, "\r\n"))
}

/// `1. e4 {[%clk 0:09:57.1]} 1... e5`, tenths of a second, on one line.
pub(crate) fn clk_tenths(game: &Game) -> String {
    let mut out = tag_section(game, "\n");
    for ((number, side, ply), left) in game.numbered().zip(clocks(game, 600, 0)) {
        let dots = side.fold_wb(".", "...");
        let tenth = 600_u32.saturating_sub(number) % 10;
        let tenth = if tenth == 0 {
            String::new()
        } else {
            format!(".{tenth}")
        };
        write!(
            out,
            "{number}{dots} {} {{[%clk {}{tenth}]}} ",
            ply.san,
            clock(left)
        )
        .expect("a string");
    }
    format!("{out}{}\n\n", game.result)
}

/// `1. e4 {+0.31/21 3.2s} e5`, as in engine matches, wrapped at 80.
pub(crate) fn engine_match(game: &Game) -> String {
    let mut text = String::new();
    for (at, (number, side, ply)) in game.numbered().enumerate() {
        if side == Color::White {
            write!(text, "{number}. ").expect("a string");
        }
        let comment = if at < 8 {
            "book".to_owned()
        } else {
            search(ply.eval, side, ply.seconds)
        };
        write!(text, "{} {{{comment}}} ", ply.san).expect("a string");
    }
    let moves = wrap(&(text + game.result), 80, "\n");
    format!("{}{moves}\n\n", tag_section(game, "\n"))
}

fn search(eval: Eval, side: Color, seconds: u32) -> String {
    let (score, depth) = match eval {
        Eval::Centipawns(n) => (centipawns(side.fold_wb(n, -n)), 12 + seconds),
        Eval::MateNext(winner) if winner == side => ("+M2".to_owned(), 40),
        Eval::MateNext(_) => ("-M1".to_owned(), 40),
        Eval::Mate => ("+M1".to_owned(), 40),
    };
    format!("{score}/{depth} {}.{}s", seconds / 4, seconds * 3 % 10)
}

fn centipawns(n: i32) -> String {
    let sign = if n < 0 { "-" } else { "+" };
    format!(
        "{sign}{}.{:02}",
        n.unsigned_abs() / 100,
        n.unsigned_abs() % 100
    )
}

/// Moves in the spelling of older programs: castling with zeros, `e8Q` for `e8=Q`, no sign for
/// check or mate.
pub(crate) fn old_spelling(game: &Game) -> String {
    let mut out = tag_section(game, "\n");
    for (number, side, ply) in game.numbered() {
        if side == Color::White {
            write!(out, "{number}.").expect("a string");
        }
        let san = ply
            .san
            .replace('O', "0")
            .replace('=', "")
            .replace(['+', '#'], "");
        write!(out, "{san} ").expect("a string");
    }
    format!("{out}{}\n\n", game.result)
}
