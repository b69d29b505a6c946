//! Work on archives, on threads of its own.

use super::error::ApiError;
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
    ) -> Result<T, ApiError> {
        spawn_blocking(work)
            .await
            .unwrap_or_else(|_| Err(ApiError::internal(FAILED)))
    }

    /// Does work when it is its turn.
    ///
    /// # Errors
    /// The error of the work; or there is too much to do, or it takes too long.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let Ok(_waiting) = self.waiting.try_acquire() else {
            return Err(ApiError::busy("too many requests at a time"));
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
            Err(_) | Ok(Ok(Err(Cancelled))) => Err(ApiError::busy(format!(
                "the answer takes longer than {} seconds",
                self.time_limit.as_secs()
            ))),
            Ok(Err(_)) => Err(ApiError::internal(FAILED)),
            Ok(Ok(Ok(result))) => result,
        }
    }
}
