//! Connections: their number, and how long a client may take to ask.

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;

/// The most connections at a time; others wait.
const MAX_CONNECTIONS: usize = 512;

/// The longest time for the head of a request, and between two requests.
const HEAD_TIME: Duration = Duration::from_secs(15);

/// The longest time in which a client reads nothing of an answer.
const STALL_TIME: Duration = Duration::from_secs(30);

/// The most bytes of the head of a request.
const MAX_HEAD_BYTES: usize = 64 << 10;

/// How long requests may go on after an interrupt.
const STOP_TIME: Duration = Duration::from_secs(5);

/// Accepts connections until an interrupt, then waits for the requests that are worked on.
pub(super) async fn accept(listener: TcpListener, router: Router) {
    let connections = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let graceful = GracefulShutdown::new();
    let mut interrupted = std::pin::pin!(interrupted());
    loop {
        let next = async {
            let permit = Arc::clone(&connections).acquire_owned().await.ok()?;
            let (stream, _) = listener.accept().await.ok()?;
            Some((permit, stream))
        };
        let next = tokio::select! {
            next = next => next,
            () = &mut interrupted => break,
        };
        let Some((permit, stream)) = next else {
            // Too many open files, mostly: it passes as connections end.
            sleep(Duration::from_millis(50)).await;
            continue;
        };
        // Small answers are not held back for more.
        let _ = stream.set_nodelay(true);
        let mut stream = Box::pin(TimeoutStream::new(stream));
        stream.as_mut().set_write_timeout_pinned(Some(STALL_TIME));
        let service = TowerToHyperService::new(router.clone());
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_TIME)
            .max_buf_size(MAX_HEAD_BYTES)
            .serve_connection(TokioIo::new(stream), service);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            let _permit = permit;
            // An error here is one of the client, who has gone.
            let _ = connection.await;
        });
    }
    drop(listener);
    let _ = timeout(STOP_TIME, graceful.shutdown()).await;
}

/// Resolves at Control-C or, on Unix, at the signal to terminate.
fn interrupted() -> impl Future<Output = ()> {
    #[cfg(unix)]
    let terminated = async {
        use tokio::signal::unix::{SignalKind, signal};
        match signal(SignalKind::terminate()) {
            Ok(mut signal) => drop(signal.recv().await),
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminated = std::future::pending();
    async {
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            () = terminated => {}
        }
    }
}
