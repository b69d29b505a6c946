//! The class `Archive`, and `open`.

use crate::conditions::Conditions;
use crate::errors;
use crate::find::Hits;
use crate::game::Game;
use crate::models;
use crate::scan::{ColumnNames, GameRange, OnDamage, Scan, columns};
use crate::source::{SeekableFile, is_file};
use pgna::Limits;
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PySlice, PyTuple};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An archive that is open for reading: a sequence of games.
///
/// As in any Python sequence, indexes begin at 0, may be negative, and a slice is a list. The
/// numbers that everything else in pgna shows begin at 1: ``archive.game(1)`` is ``archive[0]``,
/// and its ``number`` is 1.
///
/// Any number of threads may use an archive. Games, searches and scans stay usable after it is
/// closed.
///
/// >>> import pgna
/// >>> with pgna.open("games.pgna") as archive:
/// ...     print(len(archive), archive[0].number, archive.game(1).headers["White"])
/// 3 1 Morphy, Paul
#[pyclass(frozen, module = "pgna")]
pub(crate) struct Archive {
    /// `None` after it is closed.
    archive: Mutex<Option<Arc<pgna::Archive>>>,
    path: Option<PathBuf>,
}

/// Opens an archive for reading.
///
/// A path (``str`` or ``os.PathLike``) is mapped into memory. Anything else must be a file opened
/// in binary mode, with ``seek`` and ``read``: an ``io.BytesIO``, or a file of fsspec, of which
/// only the parts that are needed are fetched.
///
/// >>> import io, pgna
/// >>> with open("games.pgna", "rb") as file:
/// ...     archive = pgna.open(io.BytesIO(file.read()))
/// >>> len(archive)
/// 3
#[pyfunction]
#[pyo3(signature = (source, /))]
pub(crate) fn open(source: &Bound<'_, PyAny>) -> PyResult<Archive> {
    let py = source.py();
    models::load_installed(py)?;
    if is_file(source)? {
        let file = SeekableFile::new(source)?;
        let opened = py.detach(|| pgna::Archive::open(file, Limits::default()));
        return Ok(Archive {
            archive: Mutex::new(Some(Arc::new(
                opened.map_err(|error| errors::of_archive(py, &error))?,
            ))),
            path: None,
        });
    }
    let path: PathBuf = source.extract()?;
    Ok(Archive {
        archive: Mutex::new(Some(map(py, &path)?)),
        path: Some(path),
    })
}

/// Maps the archive at a path.
fn map(py: Python<'_>, path: &Path) -> PyResult<Arc<pgna::Archive>> {
    py.detach(|| std::fs::File::open(path).and_then(|file| file.metadata()))
        .map_err(|error| errors::of_io(py, &error, Some(path), ""))?;
    let opened = py.detach(|| pgna::Archive::map(path, Limits::default()));
    Ok(Arc::new(
        opened.map_err(|error| errors::of_archive(py, &error))?,
    ))
}

/// The open archive that an argument is, or the archive at the path that it is.
pub(crate) fn archive_of(argument: &Bound<'_, PyAny>) -> PyResult<Arc<pgna::Archive>> {
    if let Ok(archive) = argument.cast::<Archive>() {
        return archive.get().get();
    }
    open(argument)?.get()
}

impl Archive {
    /// The open archive.
    pub(crate) fn get(&self) -> PyResult<Arc<pgna::Archive>> {
        let open = self.lock().clone();
        open.ok_or_else(|| PyValueError::new_err("the archive is closed"))
    }

    /// The lock is held for moments only, so it cannot block the interpreter.
    fn lock(&self) -> MutexGuard<'_, Option<Arc<pgna::Archive>>> {
        self.archive.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Archive {
    /// The path that was opened; ``None`` for a file object.
    #[getter]
    fn path(&self) -> Option<&OsStr> {
        self.path.as_deref().map(Path::as_os_str)
    }

    /// The packed files, in order: ``Source(name, games, bytes)``.
    ///
    /// >>> archive.sources
    /// (Source(name='games.pgn', games=3, bytes=379),)
    #[getter]
    fn sources<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let archive = self.get()?;
        let class = py.import("pgna._types")?.getattr("Source")?;
        let sources = archive.sources().iter();
        let sources = sources.map(|it| class.call1((&it.name, it.games, it.bytes)));
        PyTuple::new(py, sources.collect::<PyResult<Vec<_>>>()?)
    }

    /// Damage found so far that costs no data, as messages.
    #[getter]
    fn warnings(&self) -> PyResult<Vec<String>> {
        let warnings = self.get()?.warnings();
        Ok(warnings.iter().map(ToString::to_string).collect())
    }

    /// The game with a number. Numbers begin at 1.
    ///
    /// >>> archive.game(3).number
    /// 3
    /// >>> archive.game(0)
    /// Traceback (most recent call last):
    /// IndexError: no game 0: the archive has 3
    #[pyo3(signature = (number, /))]
    fn game(&self, number: i64) -> PyResult<Game> {
        let archive = self.get()?;
        let games = archive.games();
        match u64::try_from(number)
            .ok()
            .filter(|number| (1..=games).contains(number))
        {
            Some(number) => Ok(Game::new(archive, number, None)),
            None => Err(PyIndexError::new_err(format!(
                "no game {number}: the archive has {games}"
            ))),
        }
    }

    /// Finds games, lazily and in order, as ``pgna find`` does.
    ///
    /// ``where`` is a filter: ``"player ~ carlsen and Date >= 2010"``. ``fen`` is a position or
    /// ``"startpos"``, ``after`` the position after these moves, ``pieces_only`` compares only its
    /// pieces; ``material`` is ``"KRPkr"``, ``pattern`` is ``"Nd5 pd6"``, ``mirror`` and ``flip``
    /// add those with the files or the colours exchanged; ``variations`` looks into variations
    /// too. All conditions must hold, those on positions for one position, whose ply the game
    /// has as ``ply``.
    ///
    /// A part that is damaged raises ``DamagedError`` in its place; the iterator can be asked for
    /// more afterwards.
    ///
    /// >>> [game.number for game in archive.find("White ~ morphy")]
    /// [1]
    /// >>> [(game.number, game.ply) for game in archive.find(after="1. e4 e5")]
    /// [(1, 2), (2, 2)]
    #[pyo3(signature = (r#where=None, *, fen=None, after=None, material=None, pattern=None, pieces_only=false, mirror=false, flip=false, variations=false, limit=None))]
    #[expect(clippy::too_many_arguments, reason = "these are keyword arguments")]
    fn find(
        &self,
        r#where: Option<String>,
        fen: Option<String>,
        after: Option<String>,
        material: Option<String>,
        pattern: Option<String>,
        pieces_only: bool,
        mirror: bool,
        flip: bool,
        variations: bool,
        limit: Option<u64>,
    ) -> PyResult<Hits> {
        let conditions = Conditions {
            filter: r#where,
            fen,
            after,
            material,
            pattern,
            pieces_only,
            mirror,
            flip,
            variations,
        };
        let query = conditions.query()?.ok_or_else(|| {
            let why = "nothing to look for: give where, fen, after, material or pattern";
            PyValueError::new_err(why)
        })?;
        Ok(Hits::new(self.get()?, query, limit))
    }

    /// Columns of all games, or of those that match conditions as for ``find``, for Polars,
    /// DuckDB, pandas, pyarrow and all that takes the Arrow C stream interface.
    ///
    /// ``columns`` are names from ``pgna.COLUMNS``, or of tags; by default
    /// ``pgna.DEFAULT_COLUMNS``. What is not asked for is not decoded. ``games`` is a ``range`` of
    /// numbers, which begin at 1. ``on_damage`` is ``"raise"``, or a function that is called with a
    /// ``DamagedError`` for games that cannot be read, and are left out.
    ///
    /// >>> archive.scan(["White", "WhiteElo", "moves"], "Result = 1-0").columns
    /// ['White', 'WhiteElo', 'moves']
    #[pyo3(
        signature = (columns=None, r#where=None, *, fen=None, after=None, material=None, pattern=None, pieces_only=false, mirror=false, flip=false, variations=false, games=None, on_damage=OnDamage::Raise),
        // The default of the last argument is not a literal.
        text_signature = "($self, columns=None, where=None, *, fen=None, after=None, material=None, pattern=None, pieces_only=False, mirror=False, flip=False, variations=False, games=None, on_damage='raise')"
    )]
    #[expect(clippy::too_many_arguments, reason = "these are keyword arguments")]
    fn scan(
        &self,
        columns: Option<ColumnNames>,
        r#where: Option<String>,
        fen: Option<String>,
        after: Option<String>,
        material: Option<String>,
        pattern: Option<String>,
        pieces_only: bool,
        mirror: bool,
        flip: bool,
        variations: bool,
        games: Option<GameRange>,
        on_damage: OnDamage,
    ) -> PyResult<Scan> {
        let conditions = Conditions {
            filter: r#where,
            fen,
            after,
            material,
            pattern,
            pieces_only,
            mirror,
            flip,
            variations,
        };
        let columns = self::columns(columns)?;
        let query = conditions.query()?;
        Ok(Scan::new(self.get()?, columns, query, games, on_damage))
    }

    /// Closes the archive. A file object that was opened stays open.
    fn close(&self) {
        *self.lock() = None;
    }

    /// Whether the archive is closed.
    #[getter]
    fn closed(&self) -> bool {
        self.lock().is_none()
    }

    fn __len__(&self) -> PyResult<usize> {
        Ok(usize::try_from(self.get()?.games())?)
    }

    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = index.py();
        let archive = self.get()?;
        let games = isize::try_from(archive.games())?;
        let game = |at: isize| -> PyResult<Game> {
            let number = u64::try_from(at)?.saturating_add(1);
            Ok(Game::new(Arc::clone(&archive), number, None))
        };
        if let Ok(slice) = index.cast::<PySlice>() {
            let slice = slice.indices(games)?;
            let length = isize::try_from(slice.slicelength)?;
            let games = (0..length).map(|at| game(slice.start + at * slice.step));
            let games = games.collect::<PyResult<Vec<Game>>>()?;
            return Ok(PyList::new(py, games)?.into_any());
        }
        let at: isize = index
            .extract()
            .map_err(|_| PyTypeError::new_err("an index is an integer or a slice"))?;
        let from_start = if at < 0 { at.saturating_add(games) } else { at };
        if !(0..games).contains(&from_start) {
            return Err(PyIndexError::new_err(format!(
                "index {at} is out of range: the archive has {games} games"
            )));
        }
        Ok(Bound::new(py, game(from_start)?)?.into_any())
    }

    fn __iter__(&self) -> PyResult<Games> {
        Ok(Games {
            archive: self.get()?,
            next: Mutex::new(1),
        })
    }

    fn __enter__(this: Py<Self>) -> PyResult<Py<Self>> {
        this.get().get()?;
        Ok(this)
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyTuple>) {
        self.close();
    }

    fn __repr__(&self) -> String {
        let name = match &self.path {
            Some(path) => path.display().to_string(),
            None => "file object".to_owned(),
        };
        match self.get() {
            Ok(archive) => format!("<pgna.Archive {name}: {} games>", archive.games()),
            Err(_) => format!("<pgna.Archive {name}: closed>"),
        }
    }
}

/// All games of an archive, in order.
#[pyclass(frozen, module = "pgna")]
struct Games {
    archive: Arc<pgna::Archive>,
    /// The number of the next game.
    next: Mutex<u64>,
}

#[pymethods]
impl Games {
    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__(&self) -> Option<Game> {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let number = Some(*next).filter(|number| *number <= self.archive.games())?;
        *next = number.saturating_add(1);
        Some(Game::new(Arc::clone(&self.archive), number, None))
    }
}
