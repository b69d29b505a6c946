//! Generated single games of great size.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use pgna::{Ply, Position};

use crate::inputs::Corpus;

/// A game: its name and the generator of its text.
pub(crate) type Game = (&'static str, fn() -> Result<String>);

pub(crate) const GAMES: [Game; 3] = [
    ("5,000 plies", || game(5_000, 0)),
    ("10,000 variations", || game(250, 40)),
    ("50,000 nested", || Ok(nested(50_000))),
];

/// Writes one of them to a file.
pub(crate) fn prepare(name: &str, text: &str, folder: &Path) -> Result<Corpus> {
    let path = folder.join("corpus.pgn");
    fs::write(&path, text)?;
    Ok(Corpus {
        name: name.to_owned(),
        path,
        raw_bytes: text.len() as u64,
    })
}

/// A game of random legal plies, each followed by `variations` variations of
/// one ply.
fn game(plies: usize, variations: usize) -> Result<String> {
    let (mut position, mut seed) = (Position::default(), 1);
    let mut text = tags("random");
    for at in 0..plies {
        let number = at / 2 + 1;
        let legal = position.legal_plies();
        let from = random(&mut seed) % legal.len().max(1);
        let mut others = legal.iter().cycle().skip(from).take(legal.len());
        let leads_on = |ply: &&Ply| {
            let mut after = position.clone();
            after.play(**ply).is_ok() && !after.legal_plies().is_empty()
        };
        let ply = *others.find(leads_on).context("no ply that leads on")?;
        text += &numbered(&position, number, ply)?;
        text += " ";
        for other in legal.iter().cycle().skip(from).take(variations) {
            write!(text, "({}) ", numbered(&position, number, *other)?)?;
        }
        position.play(ply)?;
    }
    Ok(text + "*\n\n")
}

fn tags(event: &str) -> String {
    format!("[Event \"{event}\"]\n[Result \"*\"]\n\n")
}

/// Knuth's MMIX generator: the same games in every run.
fn random(seed: &mut u64) -> usize {
    *seed = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    usize::try_from(*seed >> 33).unwrap_or_default()
}

/// The text of a ply with its number.
fn numbered(position: &Position, number: usize, ply: Ply) -> Result<String> {
    let dots = match position.is_white_to_move() {
        true => ".",
        false => "...",
    };
    Ok(format!("{number}{dots} {}", position.san(ply)?))
}

/// Nested variations of this depth.
fn nested(depth: usize) -> String {
    let down = ["1. e4 (", "1. d4 ("].into_iter().cycle().take(depth);
    let down: String = down.collect();
    let up = ")".repeat(depth);
    format!("{}{down}1. e4{up} *\n\n", tags("nested"))
}
