//! The class `Archive`, and `open`.

use crate::conditions::Conditions;
use crate::errors;
use crate::find::Hits;
use crate::game::Game;
use crate::lock::{CallLock, lock};
use crate::models;
use crate::open_archive::OpenArchive;
use crate::parts;
use crate::scan::{ColumnNames, GameRange, OnDamage, Scan, columns};
use crate::source::{SeekableFile, is_file};
use crate::urls::{self, url};
use pgna::{Limits, TextEncoding, UnknownEncoding, without_secrets};
use pyo3::exceptions::{PyIndexError, PyLookupError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyList, PyRange, PySlice, PyString, PyTuple};
use std::ffi::OsStr;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

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
    archive: Mutex<Option<OpenArchive>>,
    origin: Origin,
}

/// Where an archive was opened.
enum Origin {
    Path(PathBuf),
    Url {
        url: String,
        storage_options: Option<Py<PyAny>>,
    },
    File,
}

impl Origin {
    /// The path or the URL for messages.
    fn shown(&self) -> Option<PathBuf> {
        match self {
            Origin::Path(path) => Some(path.clone()),
            Origin::Url { url, .. } => Some(PathBuf::from(&*without_secrets(url))),
            Origin::File => None,
        }
    }
}

/// Opens an archive for reading.
///
/// A path (``str`` or ``os.PathLike``) is mapped into memory. A URL (``str``), such as
/// ``"https://example.org/games.pgna"`` or ``"s3://bucket/games.pgna"``, is opened by fsspec with
/// ``storage_options``, as in pandas and Polars, and only the parts that are needed are fetched.
/// Anything else must be a file opened in binary mode, with ``seek`` and ``read``, such as an
/// ``io.BytesIO``.
///
/// >>> import io, pgna
/// >>> with open("games.pgna", "rb") as file:
/// ...     archive = pgna.open(io.BytesIO(file.read()))
/// >>> len(archive)
/// 3
///
/// Text that is not UTF-8, as in old files, is read in another encoding: ``"windows-1250"``,
/// ``"windows-1251"``, ``"iso-8859-2"`` and so on, by the names that browsers use.
/// ``pgn_bytes`` of a game is not affected.
#[pyfunction]
#[pyo3(signature = (source, /, *, encoding="windows-1252", storage_options=None))]
pub(crate) fn open(
    source: &Bound<'_, PyAny>,
    encoding: &str,
    storage_options: Option<Bound<'_, PyAny>>,
) -> PyResult<Archive> {
    let py = source.py();
    models::load_installed(py)?;
    let encoding: TextEncoding = encoding
        .parse()
        .map_err(|error: UnknownEncoding| PyLookupError::new_err(error.to_string()))?;
    if let Some(url) = url(source) {
        let file = urls::open(py, &url, storage_options.as_ref())?;
        let storage_options = storage_options.map(Bound::unbind);
        let origin = Origin::Url {
            url,
            storage_options,
        };
        return open_file(py, SeekableFile::owned(&file)?, origin, encoding);
    }
    if storage_options.is_some() {
        let why = "storage_options are for URLs, such as \"s3://bucket/games.pgna\"";
        return Err(PyValueError::new_err(why));
    }
    if is_file(source)? {
        return open_file(py, SeekableFile::new(source)?, Origin::File, encoding);
    }
    let path: PathBuf = source.extract()?;
    let archive = map(py, &path)?.with_encoding(encoding);
    Ok(Archive::new(archive, Origin::Path(path), None))
}

/// Opens the archive in a file.
fn open_file(
    py: Python<'_>,
    file: SeekableFile,
    origin: Origin,
    encoding: TextEncoding,
) -> PyResult<Archive> {
    let place = Some(file.place());
    let opened = py.detach(|| pgna::Archive::open(file, Limits::default()));
    let shown = origin.shown();
    let archive = opened.map_err(|error| errors::of_archive(py, &error, shown.as_deref()))?;
    Ok(Archive::new(archive.with_encoding(encoding), origin, place))
}

/// Maps the archive at a path.
fn map(py: Python<'_>, path: &Path) -> PyResult<pgna::Archive> {
    py.detach(|| std::fs::File::open(path).and_then(|file| file.metadata()))
        .map_err(|error| errors::of_io(py, &error, Some(path), ""))?;
    let opened = py.detach(|| pgna::Archive::map(path, Limits::default()));
    opened.map_err(|error| errors::of_archive(py, &error, Some(path)))
}

/// The open archive that an argument is, or the archive at the path that it is.
pub(crate) fn archive_of(argument: &Bound<'_, PyAny>) -> PyResult<OpenArchive> {
    if let Ok(archive) = argument.cast::<Archive>() {
        let archive = archive.get().get()?;
        archive.check_file()?;
        return Ok(archive);
    }
    open(argument, TextEncoding::default().name(), None)?.get()
}

impl Archive {
    fn new(archive: pgna::Archive, origin: Origin, place: Option<Arc<CallLock<()>>>) -> Self {
        let opened = OpenArchive::new(archive, origin.shown(), place);
        Archive {
            archive: Mutex::new(Some(opened)),
            origin,
        }
    }

    /// The open archive.
    pub(crate) fn get(&self) -> PyResult<OpenArchive> {
        // The lock is held for moments only, so it cannot block the interpreter.
        let open = lock(&self.archive).clone();
        open.ok_or_else(|| PyValueError::new_err("the archive is closed"))
    }

    /// All games, from the end if they are reversed.
    fn games(&self, is_reversed: bool) -> PyResult<Games> {
        let archive = self.get()?;
        Ok(Games {
            left: Mutex::new(1..=archive.games()),
            archive,
            is_reversed,
        })
    }
}

/// Numbers of games as ranges of Python.
fn ranges(py: Python<'_>, games: Vec<std::ops::Range<u64>>) -> PyResult<Vec<Bound<'_, PyRange>>> {
    let bound = |number: u64| isize::try_from(number);
    let ranges = games.into_iter();
    ranges
        .map(|games| PyRange::new(py, bound(games.start)?, bound(games.end)?))
        .collect()
}

/// An integer of Python; `None` if it has more than 64 bits, so that it is no index or number.
pub(crate) fn integer(object: &Bound<'_, PyAny>) -> PyResult<Option<i64>> {
    match object.extract() {
        Ok(integer) => Ok(Some(integer)),
        Err(error) if error.is_instance_of::<PyOverflowError>(object.py()) => Ok(None),
        Err(error) => Err(error),
    }
}

#[pymethods]
impl Archive {
    /// The path or the URL that was opened; ``None`` for a file object.
    #[getter]
    fn path(&self) -> Option<&OsStr> {
        match &self.origin {
            Origin::Path(path) => Some(path.as_os_str()),
            Origin::Url { url, .. } => Some(OsStr::new(url)),
            Origin::File => None,
        }
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

    /// The BLAKE3 digests of the packed files, in the order of ``sources``, in hexadecimal digits.
    ///
    /// >>> [digest[:8] for digest in archive.digests]
    /// ['7b231186']
    #[getter]
    fn digests<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, parts::digests(&*self.get()?))
    }

    /// The numbers of the games of each segment. A segment has tables of its own, which a ``scan``
    /// reads first.
    ///
    /// >>> archive.segments()
    /// [range(1, 4)]
    fn segments<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyRange>>> {
        ranges(py, self.get()?.segment_ranges())
    }

    /// The numbers of the games of each block of a segment, which is given by its index in
    /// ``segments``. The games of a block are decoded together, so that a ``scan`` with ``games`` is
    /// cheapest at such bounds.
    ///
    /// >>> archive.blocks(0)
    /// [range(1, 4)]
    fn blocks<'py>(&self, py: Python<'py>, segment: usize) -> PyResult<Vec<Bound<'py, PyRange>>> {
        let archive = self.get()?;
        archive.check_file()?;
        let segments = archive.segment_ranges().len();
        if segment >= segments {
            return Err(PyIndexError::new_err(format!(
                "no segment {segment}: the archive has {segments}, from 0"
            )));
        }
        let blocks = py.detach(|| archive.block_ranges(segment));
        ranges(
            py,
            blocks.map_err(|error| errors::of_archive(py, &error, archive.path()))?,
        )
    }

    /// Decodes all games, and compares the text of each packed file with its digest, as ``pgna
    /// test`` does. The first damage raises ``DamagedError``.
    ///
    /// >>> archive.verify()
    fn verify(&self, py: Python<'_>) -> PyResult<()> {
        parts::verify(py, &self.get()?)
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
    fn game(&self, number: &Bound<'_, PyAny>) -> PyResult<Game> {
        let archive = self.get()?;
        let games = archive.games();
        let found = integer(number)?.and_then(|number| u64::try_from(number).ok());
        match found.filter(|number| (1..=games).contains(number)) {
            Some(number) => Ok(Game::new(archive, number, None)),
            None => Err(PyIndexError::new_err(format!(
                "no game {number}: the archive has {games}"
            ))),
        }
    }

    /// Finds games, lazily and in order, as ``pgna find`` does.
    ///
    /// ``where`` is a filter: ``"player ~ carlsen and Date >= 2010"``. ``fen`` is a position or
    /// ``"startpos"``, ``after`` the position after these moves, in whatever order they were
    /// played, ``pieces_only`` compares only its pieces; ``material`` is ``"KRPkr"``, ``pattern`` is ``"Nd5 pd6"``,
    /// ``position`` an expression such as ``"isolated Pd then mate"``; ``mirror`` and ``flip``
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
    #[pyo3(signature = (r#where=None, *, fen=None, after=None, material=None, pattern=None, position=None, pieces_only=false, mirror=false, flip=false, variations=false, limit=None))]
    #[expect(clippy::too_many_arguments, reason = "these are keyword arguments")]
    fn find(
        &self,
        r#where: Option<String>,
        fen: Option<String>,
        after: Option<String>,
        material: Option<String>,
        pattern: Option<String>,
        position: Option<String>,
        pieces_only: bool,
        mirror: bool,
        flip: bool,
        variations: bool,
        limit: Option<i64>,
    ) -> PyResult<Hits> {
        let limit = limit.map(u64::try_from).transpose();
        let limit = limit.map_err(|_| PyValueError::new_err("limit: must not be negative"))?;
        let conditions = Conditions {
            filter: r#where,
            fen,
            after,
            material,
            pattern,
            position,
            pieces_only,
            mirror,
            flip,
            variations,
        };
        let query = conditions.query()?.ok_or_else(|| {
            let why = "nothing to look for: give where, fen, after, material, pattern or position";
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
        signature = (columns=None, r#where=None, *, fen=None, after=None, material=None, pattern=None, position=None, pieces_only=false, mirror=false, flip=false, variations=false, games=None, on_damage=OnDamage::Raise),
        // The default of the last argument is not a literal.
        text_signature = "($self, columns=None, where=None, *, fen=None, after=None, material=None, pattern=None, position=None, pieces_only=False, mirror=False, flip=False, variations=False, games=None, on_damage='raise')"
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
        position: Option<String>,
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
            position,
            pieces_only,
            mirror,
            flip,
            variations,
        };
        let columns = self::columns(columns)?;
        let query = conditions.query()?;
        Ok(Scan::new(self.get()?, columns, query, games, on_damage))
    }

    /// Closes the archive. A file object that was opened stays open; the connection to a URL is
    /// closed when no game, search or scan uses it any more.
    fn close(&self) {
        *lock(&self.archive) = None;
    }

    /// Whether the archive is closed.
    #[getter]
    fn closed(&self) -> bool {
        lock(&self.archive).is_none()
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
            Ok(Game::new(archive.clone(), number, None))
        };
        if let Ok(slice) = index.cast::<PySlice>() {
            let slice = slice.indices(games)?;
            let length = isize::try_from(slice.slicelength)?;
            let games = (0..length).map(|at| game(slice.start + at * slice.step));
            let games = games.collect::<PyResult<Vec<Game>>>()?;
            return Ok(PyList::new(py, games)?.into_any());
        }
        let at = integer(index)
            .map_err(|_| PyTypeError::new_err("an index is an integer or a slice"))?
            .and_then(|at| isize::try_from(at).ok())
            .map(|at| if at < 0 { at.saturating_add(games) } else { at });
        match at.filter(|at| (0..games).contains(at)) {
            Some(at) => Ok(Bound::new(py, game(at)?)?.into_any()),
            None => Err(PyIndexError::new_err(format!(
                "index {index} is out of range: the archive has {games} games"
            ))),
        }
    }

    fn __iter__(&self) -> PyResult<Games> {
        self.games(false)
    }

    fn __reversed__(&self) -> PyResult<Games> {
        self.games(true)
    }

    fn __enter__(this: Py<Self>) -> PyResult<Py<Self>> {
        this.get().get()?;
        Ok(this)
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyTuple>) {
        self.close();
    }

    /// An archive is pickled as its path or URL and its encoding; another process opens it.
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyAny>,))> {
        let encoding = self.get()?.encoding();
        let options = [("encoding", encoding.name())].into_py_dict(py)?;
        let source = match &self.origin {
            Origin::Path(path) => std::path::absolute(path)?.into_pyobject(py)?.into_any(),
            Origin::Url {
                url,
                storage_options,
            } => {
                options.set_item("storage_options", storage_options)?;
                PyString::new(py, url).into_any()
            }
            Origin::File => {
                let why = "only an archive that was opened by its path or URL can be pickled";
                return Err(PyTypeError::new_err(why));
            }
        };
        let open = py.import("pgna")?.getattr("open")?;
        let partial = py.import("functools")?.getattr("partial")?;
        Ok((partial.call((open,), Some(&options))?, (source,)))
    }

    fn __repr__(&self) -> String {
        let name = match self.origin.shown() {
            Some(path) => path.display().to_string(),
            None => "file object".to_owned(),
        };
        match self.get() {
            Ok(archive) => format!("<pgna.Archive {name}: {} games>", archive.games()),
            Err(_) => format!("<pgna.Archive {name}: closed>"),
        }
    }
}

/// All games of an archive, from its start or its end.
#[pyclass(frozen, module = "pgna")]
struct Games {
    archive: OpenArchive,
    /// The numbers of the games that follow.
    left: Mutex<RangeInclusive<u64>>,
    is_reversed: bool,
}

#[pymethods]
impl Games {
    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__(&self) -> Option<Game> {
        let mut left = lock(&self.left);
        let number = match self.is_reversed {
            true => left.next_back(),
            false => left.next(),
        };
        number.map(|number| Game::new(self.archive.clone(), number, None))
    }
}
