//! The class `Batch`: the games of one block.

use arrow_array::{Array, RecordBatch, StructArray, ffi};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// Columns of some games: what iterating over a ``Scan`` yields.
///
/// ``pyarrow.record_batch(batch)`` and ``polars.DataFrame(batch)`` make of it what they need,
/// without a copy.
#[pyclass(frozen, module = "pgna")]
pub(crate) struct Batch(pub(crate) RecordBatch);

#[pymethods]
impl Batch {
    /// The Arrow PyCapsule interface for arrays.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        // A producer may ignore what it cannot give.
        drop(requested_schema);
        let data = StructArray::from(self.0.clone()).into_data();
        let exported = ffi::to_ffi(&data);
        let (array, schema) = exported.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok((
            PyCapsule::new_with_value(py, schema, c"arrow_schema")?,
            PyCapsule::new_with_value(py, array, c"arrow_array")?,
        ))
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        let schema = self.0.schema();
        schema
            .fields()
            .iter()
            .map(|field| field.name().clone())
            .collect()
    }

    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    fn __repr__(&self) -> String {
        let (rows, columns) = (self.0.num_rows(), self.0.num_columns());
        format!("<pgna.Batch: {rows} games, {columns} columns>")
    }
}
