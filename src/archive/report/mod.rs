//! Statistics: what was packed, and what takes the space.

pub(crate) mod encodings;
pub(crate) mod overhead;
pub(crate) mod pack;
pub(crate) mod sizes;
