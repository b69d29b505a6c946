//! Removes temporary files also if the program is interrupted.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The temporary files and folders that exist now.
static FILES: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// The status that a shell reports for a program ended by Control-C.
const INTERRUPTED: i32 = 130;

/// Installs a handler that removes the temporary files when the program is
/// interrupted.
pub(crate) fn remove_temporary_files_on_interrupt() {
    // Without a handler the interrupt still ends the program.
    let _ = ctrlc::set_handler(|| {
        for path in files().iter() {
            let _ = match path.is_dir() {
                true => std::fs::remove_dir_all(path),
                false => std::fs::remove_file(path),
            };
        }
        std::process::exit(INTERRUPTED);
    });
}

/// A temporary file or folder that is removed on interrupt, for as long as the guard
/// exists.
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
