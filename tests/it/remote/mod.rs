//! Archives on web servers and in object stores.

mod server;
#[cfg(feature = "object-store")]
mod stores;
#[cfg(feature = "http")]
mod web;
