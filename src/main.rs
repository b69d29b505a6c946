//! The `pgna` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(pgna::cli::run(std::env::args_os()))
}
