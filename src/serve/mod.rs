//! The server: archives over HTTP, as `docs/serve.md` describes it.
//!
//! ```text
//! connection ─► guard (host, headers, log) ─► routes ─► work on a thread ─► answers
//! ```
//!
//! A request that takes too long, or whose client has gone, is answered or dropped at once and its work
//! is cancelled.

mod archive;
mod connection;
mod explorer;
mod file;
mod guard;
mod library;
mod log;
mod page;
mod response;
mod routes;
mod work;

pub(crate) use library::Library;

use guard::Guard;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use work::Workers;

/// How to serve.
pub(crate) struct ServeOptions {
    pub(crate) listen: SocketAddr,
    /// Names of this machine, beside IP addresses and `localhost`, that requests may use.
    pub(crate) hosts: Vec<String>,
    /// Origins whose pages may read the answers.
    pub(crate) origins: Vec<String>,
    /// The longest time for an answer.
    pub(crate) time_limit: Duration,
    /// Whether to log each request on stderr.
    pub(crate) is_verbose: bool,
}

/// What all requests share.
struct App {
    library: Library,
    workers: Workers,
}

/// Serves until an interrupt. Calls `on_ready` with the address once requests are accepted.
///
/// # Errors
/// The address cannot be used, or an origin is malformed.
pub(crate) fn serve(
    library: Library,
    options: &ServeOptions,
    on_ready: impl FnOnce(SocketAddr),
) -> io::Result<()> {
    let app = Arc::new(App {
        library,
        workers: Workers::new(options.time_limit),
    });
    let guard = Guard::new(options)?;
    let warm = Arc::clone(&app);
    // The first question would otherwise wait for it.
    std::thread::spawn(move || warm.library.read_explorers());
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind(options.listen).await?;
        on_ready(listener.local_addr()?);
        connection::accept(listener, routes::routes(app, guard)).await;
        Ok(())
    })
}
