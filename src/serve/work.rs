//! Work on archives, on threads of its own.

use super::response::Failure;
use crate::answers::ApiError;
use crate::parallel::{CancelToken, Cancelled, cancellable};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

/// How many requests are worked on at a time. Each works on all cores where it can.
const MAX_WORKING: usize = 4;

/// How many requests wait for their turn; more are refused at once.
const MAX_WAITING: usize = 256;

const FAILED: &str = "the work on this request failed; please report it";

/// The threads that work.
pub(super) struct Workers {
    working: Arc<Semaphore>,
    waiting: Semaphore,
    time_limit: Duration,
}

/// Cancels the work when it is dropped: after the end of the work, when its time is over, or when the
/// client has gone.
struct CancelOnDrop(CancelToken);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl Workers {
    pub(super) fn new(time_limit: Duration) -> Workers {
        Workers {
            working: Arc::new(Semaphore::new(MAX_WORKING)),
            waiting: Semaphore::new(MAX_WORKING + MAX_WAITING),
            time_limit,
        }
    }

    /// Does work that takes milliseconds, at once.
    ///
    /// # Errors
    /// The error of the work.
    pub(super) async fn run_short<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, Failure> {
        let done = spawn_blocking(work).await;
        done.unwrap_or_else(|_| Err(ApiError::internal(FAILED)))
            .map_err(Failure::from)
    }

    /// Waits, without taking a turn, for work that several requests need and that is done once.
    ///
    /// # Errors
    /// The error of the work; or it takes too long.
    pub(super) async fn wait<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, Failure> {
        let done = timeout(self.time_limit, self.run_short(work));
        done.await.unwrap_or_else(|_| Err(self.too_slow()))
    }

    fn too_slow(&self) -> Failure {
        let seconds = self.time_limit.as_secs();
        Failure::too_slow(format!("the answer takes longer than {seconds} seconds"))
    }

    /// Does work when it is its turn.
    ///
    /// # Errors
    /// The error of the work; or there is too much to do, or it takes too long.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, Failure> {
        let Ok(_waiting) = self.waiting.try_acquire() else {
            return Err(Failure::busy("too many requests at a time"));
        };
        let token = CancelToken::default();
        let _cancel = CancelOnDrop(token.clone());
        let working = Arc::clone(&self.working);
        let done = timeout(self.time_limit, async {
            // The permit ends with the work, which may be after the answer.
            let permit = working.acquire_owned().await;
            spawn_blocking(move || {
                let _permit = permit;
                cancellable(&token, work)
            })
            .await
        });
        match done.await {
            Err(_) | Ok(Ok(Err(Cancelled))) => Err(self.too_slow()),
            Ok(Err(_)) => Err(ApiError::internal(FAILED).into()),
            Ok(Ok(Ok(result))) => Ok(result?),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel;
    use std::future::Future;
    use std::sync::mpsc;

    /// The longest wait of these tests, which is only reached if they fail.
    const LONG: Duration = Duration::from_secs(60);

    /// Sends when work has ended, also by unwinding.
    struct Ended(mpsc::Sender<()>);

    impl Drop for Ended {
        fn drop(&mut self) {
            let _ = self.0.send(());
        }
    }

    /// Work on tasks without end.
    fn endless(ended: Ended, begun: mpsc::Sender<()>) -> impl FnOnce() -> Result<(), ApiError> {
        move || {
            let _ended = ended;
            let _ = begun.send(());
            loop {
                parallel::map(vec![(); 8], |()| std::thread::yield_now());
            }
        }
    }

    /// Does not wait for work that goes on after the future.
    fn block_on<F: Future>(future: F) -> F::Output {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        let output = runtime.block_on(future);
        runtime.shutdown_background();
        output
    }

    #[test]
    fn work_over_its_time_is_answered_and_stops() {
        let workers = Workers::new(Duration::from_millis(20));
        let (ended, has_ended) = mpsc::channel();
        let (begun, _has_begun) = mpsc::channel();
        let answer = block_on(workers.run(endless(Ended(ended), begun)));
        let response = axum::response::IntoResponse::into_response(answer.unwrap_err());
        assert_eq!(response.status(), 503);
        // The same request would take as long again.
        assert!(!response.headers().contains_key("retry-after"));
        has_ended.recv_timeout(LONG).unwrap();
    }

    #[test]
    fn work_for_a_client_that_has_gone_stops() {
        let workers = Workers::new(LONG);
        let (ended, has_ended) = mpsc::channel();
        let (begun, has_begun) = mpsc::channel();
        block_on(async {
            let answer = workers.run(endless(Ended(ended), begun));
            // The request is dropped once its work has begun.
            tokio::select! {
                _ = answer => panic!("endless work has ended"),
                begun = spawn_blocking(move || has_begun.recv_timeout(LONG)) => begun.unwrap().unwrap(),
            }
        });
        has_ended.recv_timeout(LONG).unwrap();
    }

    #[test]
    fn more_than_can_wait_are_refused() {
        let workers = Workers::new(LONG);
        let all = u32::try_from(MAX_WORKING + MAX_WAITING).unwrap();
        let _others = workers.waiting.try_acquire_many(all).unwrap();
        let answer = block_on(workers.run(|| Ok(())));
        let response = axum::response::IntoResponse::into_response(answer.unwrap_err());
        assert_eq!(response.status(), 503);
        assert!(response.headers().contains_key("retry-after"));
    }
}
