//! The class `Scan`.

use crate::archive::integer;
use crate::open_archive::OpenArchive;
use crate::stream::{BatchReader, Batches, Walk};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_schema::ffi::FFI_ArrowSchema;
use pgna::Query;
use pgna::arrow::{ArrowColumns, ArrowScan};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyRange, PyString};
use std::ops::RangeInclusive;

/// Columns of games. See ``Archive.scan``.
///
/// It has the Arrow PyCapsule interface: ``polars.DataFrame(scan)``, ``pyarrow.table(scan)``,
/// ``pandas.DataFrame.from_arrow(scan)``, and ``scan`` as a table of DuckDB. Each reads the
/// archive anew, lazily. Iterating yields a ``Batch`` for each block of the archive.
///
/// >>> scan = archive.scan(["number", "Result"])
/// >>> [len(batch) for batch in scan]
/// [3]
#[pyclass(frozen, module = "pgna")]
pub(crate) struct Scan {
    archive: OpenArchive,
    columns: ArrowColumns,
    query: Option<Query>,
    games: Option<GameRange>,
    on_damage: OnDamage,
}

/// What to do about games that cannot be read.
#[derive(Debug)]
pub(crate) enum OnDamage {
    Raise,
    Call(Py<PyAny>),
}

impl OnDamage {
    fn clone_ref(&self, py: Python<'_>) -> Self {
        match self {
            OnDamage::Raise => OnDamage::Raise,
            OnDamage::Call(function) => OnDamage::Call(function.clone_ref(py)),
        }
    }
}

impl<'py> FromPyObject<'_, 'py> for OnDamage {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if object.is_callable() {
            return Ok(OnDamage::Call(object.to_owned().unbind()));
        }
        match object.extract::<String>().as_deref() {
            Ok("raise") => Ok(OnDamage::Raise),
            _ => Err(PyTypeError::new_err("on_damage is \"raise\" or a function")),
        }
    }
}

/// The numbers of games, from a `range` of them.
#[derive(Debug, Clone)]
pub(crate) struct GameRange(RangeInclusive<u64>);

impl<'py> FromPyObject<'_, 'py> for GameRange {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let range = object
            .cast::<PyRange>()
            .map_err(|_| PyTypeError::new_err("games is a range of numbers, which begin at 1"))?;
        if !range.getattr("step")?.eq(1)? {
            return Err(PyValueError::new_err(
                "games: the step of the range must be 1",
            ));
        }
        let (start, stop) = (bound(&range, "start")?, bound(&range, "stop")?);
        // Game 0 does not exist.
        Ok(GameRange(match stop.checked_sub(1) {
            Some(last) => start..=last,
            None => 0..=0,
        }))
    }
}

/// A bound of a range, which Python does not limit. Numbers without a game are ignored.
fn bound(range: &Borrowed<'_, '_, PyRange>, name: &str) -> PyResult<u64> {
    let number = range.getattr(name)?;
    match integer(&number)? {
        Some(number) => Ok(u64::try_from(number).unwrap_or(0)),
        None if number.lt(0)? => Ok(0),
        None => Ok(i64::MAX.unsigned_abs()),
    }
}

/// The names of all columns, or of those that a scan has by default.
#[pyfunction]
pub(crate) fn column_names(is_default: bool) -> Vec<String> {
    let columns = match is_default {
        true => ArrowColumns::default(),
        false => ArrowColumns::all(),
    };
    names(&columns)
}

fn names(columns: &ArrowColumns) -> Vec<String> {
    let schema = columns.schema();
    schema
        .fields()
        .iter()
        .map(|field| field.name().clone())
        .collect()
}

/// The names of columns, from any iterable of strings.
pub(crate) struct ColumnNames(Vec<String>);

impl<'py> FromPyObject<'_, 'py> for ColumnNames {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        // A string is an iterable of its characters.
        if object.is_instance_of::<PyString>() {
            let why = "columns is a list of names, not a single str";
            return Err(PyTypeError::new_err(why));
        }
        let names = object.try_iter()?.map(|name| name?.extract());
        names.collect::<PyResult<_>>().map(ColumnNames)
    }
}

/// The columns with these names; by default the default ones.
pub(crate) fn columns(names: Option<ColumnNames>) -> PyResult<ArrowColumns> {
    match names {
        None => Ok(ArrowColumns::default()),
        Some(ColumnNames(names)) => ArrowColumns::by_name(names)
            .map_err(|error| PyValueError::new_err(format!("columns: {error}"))),
    }
}

impl Scan {
    pub(crate) fn new(
        archive: OpenArchive,
        columns: ArrowColumns,
        query: Option<Query>,
        games: Option<GameRange>,
        on_damage: OnDamage,
    ) -> Self {
        Scan {
            archive,
            columns,
            query,
            games,
            on_damage,
        }
    }

    /// A new walk over the games.
    fn walk(&self, py: Python<'_>, may_check: impl Fn() -> bool + Send + 'static) -> Walk {
        let mut scan = ArrowScan::new(self.archive.clone(), &self.columns);
        if let Some(GameRange(games)) = &self.games {
            scan = scan.games(games.clone());
        }
        if let Some(query) = &self.query {
            scan = scan.matching(query.clone());
        }
        Walk::new(
            scan,
            self.archive.clone(),
            self.on_damage.clone_ref(py),
            may_check,
        )
    }
}

#[pymethods]
impl Scan {
    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        names(&self.columns)
    }

    /// The Arrow PyCapsule interface for streams: a new stream at each call.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A producer may ignore what it cannot give.
        drop(requested_schema);
        let owner = std::thread::current().id();
        let walk = self.walk(py, move || std::thread::current().id() == owner);
        let reader = BatchReader::new(walk, self.columns.schema(), owner);
        let stream = FFI_ArrowArrayStream::new(Box::new(reader));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    /// The Arrow PyCapsule interface for schemas.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(&*self.columns.schema());
        let schema = schema.map_err(|error| PyValueError::new_err(error.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    fn __iter__(&self, py: Python<'_>) -> Batches {
        Batches::new(self.walk(py, || true))
    }

    fn __repr__(&self) -> String {
        format!("<pgna.Scan of {}>", self.columns().join(", "))
    }
}
