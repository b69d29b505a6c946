//! Temporary files go when the program is told to end, too.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The temporary files that exist now.
static FILES: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// What a shell reports of a program that Control-C has ended.
const INTERRUPTED: i32 = 130;

/// Has the program remove its temporary files when it is interrupted.
pub(crate) fn remove_temporary_files_at_the_end() {
    // Without a handler the program ends all the same.
    let _ = ctrlc::set_handler(|| {
        for path in files().iter() {
            let _ = std::fs::remove_file(path);
        }
        std::process::exit(INTERRUPTED);
    });
}

/// A temporary file that goes with the program, as long as this lives.
#[derive(Debug)]
pub(crate) struct Guard(PathBuf);

impl Guard {
    pub(crate) fn new(path: &Path) -> Self {
        files().insert(path.to_owned());
        Guard(path.to_owned())
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        files().remove(&self.0);
    }
}

fn files() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}
