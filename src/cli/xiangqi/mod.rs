//! `pgna xiangqi`.

mod args;
mod board;
mod input;
mod json;
mod text;

pub(super) use args::XiangqiArgs;

use super::bit_text;
use super::common::Common;
use super::errors::{Exit, Failure};
use super::output::Output;
use crate::internals::bits::BitString;
use crate::internals::xiangqi::{Link, XiangqiCode, XiangqiPosition};
use serde_json::Value;

/// Shows a position, or one of its codes.
pub(crate) fn run(args: &XiangqiArgs, common: &Common) -> Result<Exit, Failure> {
    if args.characters && args.code.is_some() && args.decode.is_none() {
        return Err(Failure::usage(
            "--characters draws a board, which --code does not print",
        ));
    }
    let game = input::game(args, common)?;
    let last = game.last_position();
    let mut output = Output::new();
    match (args.code, &args.decode) {
        (code, _) if args.json => output.json(&json(&game, code)?)?,
        (Some(_), Some(_)) if !args.characters => output.line(&last.fen())?,
        (Some(code), None) => {
            let bits = encode(code, last)?;
            output.line(&bit_text::text(&bits, args.hex))?;
        }
        _ => output.bytes(text::describe(&game, args.characters).as_bytes())?,
    }
    output.finish()?;
    Ok(Exit::Done)
}

/// The game with all codes, or with one, which must be able to represent it.
fn json(game: &Link, code: Option<XiangqiCode>) -> Result<Value, Failure> {
    match code {
        None => Ok(json::object(game, &XiangqiCode::ALL)),
        Some(code) => {
            encode(code, game.last_position())?;
            Ok(json::object(game, &[code]))
        }
    }
}

fn encode(code: XiangqiCode, position: &XiangqiPosition) -> Result<BitString, Failure> {
    code.encode(position).map_err(|refusal| {
        let name = code.name();
        Failure::usage(format!("{name} cannot represent the position: {refusal}"))
    })
}
