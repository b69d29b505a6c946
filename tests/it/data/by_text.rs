//! The row that a game has by its text alone.

use super::rows::Row;
use pgna::{Archive, Game, GameColumn, Position, Token};

/// A line of a game that is read from its tokens.
struct OpenLine {
    number: u32,
    plies: u32,
    before: Option<Position>,
    now: Position,
}

/// The movetext of a game that was parsed from its text, played move by move.
fn play(row: &mut Row, game: &Game) {
    let Some(start) = game.position(0) else {
        return;
    };
    row.fens.push(start.fen());
    let mut lines = vec![OpenLine {
        number: 0,
        plies: 0,
        before: None,
        now: start,
    }];
    // The depth of variations inside a line that has ended at an illegal move.
    let mut skipped: Option<usize> = None;
    for token in &game.tokens {
        let line = lines.last_mut().unwrap();
        match (token, &mut skipped) {
            (Token::BeginVariation, Some(depth)) => *depth += 1,
            (Token::EndVariation, Some(depth)) if *depth > 0 => *depth -= 1,
            (Token::EndVariation, _) => {
                if lines.len() == 1 {
                    return;
                }
                lines.pop();
                skipped = None;
            }
            (Token::BeginVariation, None) => {
                let Some(branch) = line.before.clone() else {
                    return;
                };
                let plies = line.plies - 1;
                row.variations.push((line.number, plies, Vec::new()));
                lines.push(OpenLine {
                    number: u32::try_from(row.variations.len()).unwrap(),
                    plies,
                    before: None,
                    now: branch,
                });
            }
            (Token::San(san), None) => match line.now.ply(san) {
                None => skipped = Some(0),
                Some(ply) => {
                    line.before = Some(line.now.clone());
                    let san = line.now.san(ply).unwrap();
                    line.now.play(ply).unwrap();
                    line.plies += 1;
                    match line.number {
                        0 => {
                            row.moves.push(ply.to_bits());
                            row.san.push(san);
                            row.uci.push(ply.to_string());
                            row.fens.push(line.now.fen());
                            row.clocks.push(None);
                            row.evals.push(None);
                        }
                        number => {
                            let number = usize::try_from(number).unwrap();
                            row.variations[number - 1].2.push(ply.to_bits());
                        }
                    }
                }
            },
            (Token::Comment(text), None) => {
                row.comments.push((line.number, line.plies, text.clone()));
                if line.number == 0 && line.plies > 0 {
                    let last = row.moves.len() - 1;
                    row.clocks[last] = row.clocks[last].or_else(|| clock(text));
                    row.evals[last] = row.evals[last].or_else(|| eval(text));
                }
            }
            (Token::Nag(nag), None) => row.nags.push((line.number, line.plies, *nag)),
            _ => {}
        }
    }
}

/// The text between a command and its bracket.
fn argument(comment: &[u8], command: &str) -> Option<String> {
    let text: String = comment.iter().map(|byte| char::from(*byte)).collect();
    let (_, rest) = text.split_once(&format!("[%{command} "))?;
    Some(rest.split_once(']')?.0.to_owned())
}

fn clock(comment: &[u8]) -> Option<i32> {
    let text = argument(comment, "clk")?;
    let parts: Vec<&str> = text.split(':').collect();
    let [hours, minutes, seconds] = parts[..] else {
        return None;
    };
    let [hours, minutes] = [hours, minutes].map(|part| part.parse::<f64>().ok());
    let seconds = 3600.0 * hours? + 60.0 * minutes? + seconds.parse::<f64>().ok()?;
    Some((1000.0 * seconds).round() as i32)
}

fn eval(comment: &[u8]) -> Option<i32> {
    let text = argument(comment, "eval")?;
    let value = text.split(',').next().unwrap();
    Some(match value.strip_prefix('#') {
        Some(mate) => {
            let moves: i32 = mate.parse().ok()?;
            let sign = if mate.starts_with('-') { -1 } else { 1 };
            sign * GameColumn::MATE - moves
        }
        None => (100.0 * value.parse::<f64>().ok()?).round() as i32,
    })
}

/// The row of a game by its text alone.
pub(super) fn expected(archive: &Archive, number: u64) -> Row {
    let text = archive.text(number).unwrap();
    let game = Game::parse(&text);
    let tag = |name: &str| game.tag(name.as_bytes()).map(<[u8]>::to_vec);
    let parsed = |name: &str| {
        let value = tag(name)?;
        std::str::from_utf8(&value).ok()?.trim().parse().ok()
    };
    let mut games_before = 0;
    let source = archive.sources().iter().find(|source| {
        games_before += source.games;
        number <= games_before
    });
    let mut row = Row {
        number: i64::try_from(number).unwrap(),
        source: source.map(|source| source.name.clone()),
        tags: ["White", "Result", "Opening"].map(tag).to_vec(),
        typed: vec![parsed("WhiteElo")],
        start: match game.position(0) {
            None => tag("FEN"),
            Some(start) => {
                let is_other = start != Position::default();
                is_other.then(|| start.fen().into_bytes())
            }
        },
        text,
        ..Row::default()
    };
    play(&mut row, &game);
    row
}
