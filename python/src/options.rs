//! The options of an archive that is written.

use crate::models;
use pgna::{BuiltinModel, Codec, Indexes, PackOptions};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The options that the arguments of `pack` and `append` specify.
#[derive(Debug)]
pub(crate) struct Options<'a> {
    pub(crate) level: &'a str,
    pub(crate) codec: Option<&'a str>,
    pub(crate) index: Option<&'a str>,
}

impl Options<'_> {
    /// The options. Loads the model `max` if it is needed and installed.
    pub(crate) fn read(&self, py: Python<'_>) -> PyResult<PackOptions> {
        let model = models::model(self.level)?;
        if model == BuiltinModel::Max {
            models::load_installed(py)?;
        }
        let index = self.index.map(index).transpose()?;
        Ok(PackOptions {
            indexes: index.unwrap_or_default(),
            ..PackOptions::of_level(model).with_codecs(self.codecs(model)?)
        })
    }

    fn codecs(&self, model: BuiltinModel) -> PyResult<Vec<Codec>> {
        let mut codecs = Codec::ALL.to_vec();
        let Some(name) = self.codec else {
            return Ok(codecs);
        };
        codecs.retain(|codec| codec.name() == name);
        if codecs.is_empty() {
            let mut names = Codec::ALL.map(Codec::name).to_vec();
            // A codec with several forms is in the list several times.
            names.dedup();
            let why = format!("codec: {name:?} is not one of {}", names.join(", "));
            return Err(PyValueError::new_err(why));
        }
        if !codecs.contains(&Codec::Model) && model != BuiltinModel::Default {
            let why = format!("the codec {name} has no levels");
            return Err(PyValueError::new_err(why));
        }
        Ok(codecs)
    }
}

fn index(name: &str) -> PyResult<Indexes> {
    match name {
        "none" => Ok(Indexes::None),
        "openings" => Ok(Indexes::Openings),
        "full" => Ok(Indexes::Full),
        _ => Err(PyValueError::new_err(format!(
            "index: {name:?} is not none, openings or full"
        ))),
    }
}
