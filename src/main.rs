//! The `pgna` program.

fn main() -> std::process::ExitCode {
    pgna::cli::run()
}
