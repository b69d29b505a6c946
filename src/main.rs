//! The `pgna` program.

fn main() {}
