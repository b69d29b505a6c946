//! `pgna xiangqi`.

mod args;
mod board;
mod input;
mod json;
mod text;

pub(super) use args::XiangqiArgs;

use super::args::Common;
use super::bit_text;
use super::errors::{Exit, Failure};
use super::output::Output;
use pgna::xiangqi::{Code, Link, Position};

/// Shows a position, or one of its codes.
pub(crate) fn run(args: &XiangqiArgs, common: &Common) -> Result<Exit, Failure> {
    let mut output = Output::new();
    match (args.code, &args.decode) {
        (Some(code), Some(text)) => output.line(&decode(code, text, args.hex)?.fen())?,
        (code, _) => {
            let game = input::game(args, common)?;
            let last = game.last_position();
            match code {
                Some(code) => output.line(&encode(code, &last, args.hex)?)?,
                None => show(&mut output, &game, &last, args)?,
            }
        }
    }
    output.finish()?;
    Ok(Exit::Done)
}

fn show(
    output: &mut Output,
    game: &Link,
    last: &Position,
    args: &XiangqiArgs,
) -> Result<(), Failure> {
    match args.json {
        true => output.json(&json::json(game, last)),
        false => output.bytes(text::text(game, last, args.characters).as_bytes()),
    }
}

fn encode(code: Code, position: &Position, as_hex: bool) -> Result<String, Failure> {
    let bits = code.encode(position).map_err(|refusal| {
        let name = code.name();
        Failure::usage(format!("{name} cannot represent the position: {refusal}"))
    })?;
    Ok(bit_text::text(&bits, as_hex))
}

fn decode(code: Code, text: &str, is_hex: bool) -> Result<Position, Failure> {
    let name = code.name();
    let wrong = |error: &dyn std::fmt::Display| Failure::usage(format!("no {name}: {error}"));
    let bytes = bit_text::parse(text, is_hex).map_err(|error| wrong(&error))?;
    code.decode(&bytes).map_err(|error| wrong(&error))
}
