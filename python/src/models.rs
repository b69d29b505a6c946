//! The move models that the package leaves out, and that other packages have.

use pgna::BuiltinModel;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Loads the file of the model of a level.
#[pyfunction]
pub(crate) fn load_model(py: Python<'_>, level: &str, weights: Vec<u8>) -> PyResult<()> {
    let model = model(level)?;
    let loaded = py.detach(|| model.load(weights));
    loaded.map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The model of a level.
pub(crate) fn model(level: &str) -> PyResult<BuiltinModel> {
    let mut all = BuiltinModel::ALL.into_iter();
    let found = all.find(|model| model.level() == level);
    found.ok_or_else(|| {
        PyValueError::new_err(format!("level: {level:?} is not fast, default or max"))
    })
}

/// Loads the weights of the model `max` if their package is installed.
pub(crate) fn load_installed(py: Python<'_>) -> PyResult<()> {
    if BuiltinModel::Max.is_available() {
        return Ok(());
    }
    py.import("pgna._models")?.call_method0("load_installed")?;
    Ok(())
}
