//! The function that gives the program the weights of models that its build leaves out.

use std::sync::{Mutex, OnceLock, PoisonError};

use super::builtin::BuiltinModel;

type Loader = fn(BuiltinModel) -> Option<Vec<u8>>;

static LOADER: OnceLock<Loader> = OnceLock::new();

/// Held while a model is loaded, so that no model is loaded twice.
static LOADING: Mutex<()> = Mutex::new(());

pub(super) fn set(loader: Loader) {
    let _ = LOADER.set(loader);
}

#[cfg(feature = "answers")]
pub(super) fn is_set() -> bool {
    LOADER.get().is_some()
}

/// Loads the weights of a model. Returns whether the program has them now.
pub(super) fn load(model: BuiltinModel) -> bool {
    let Some(loader) = LOADER.get() else {
        return false;
    };
    let _loading = LOADING.lock().unwrap_or_else(PoisonError::into_inner);
    // Another thread may have been faster.
    model.has_weights() || loader(model).is_some_and(|weights| model.load(weights).is_ok())
}
