//! The class `Game`.

use crate::archive::integer;
use crate::errors;
use crate::open_archive::OpenArchive;
use pgna::{Archive, ColumnData, Error, GameColumn, Place, Position};
use pyo3::exceptions::{PyImportError, PyIndexError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::OnceLock;

/// A game of an archive.
///
/// Its data is decoded when it is asked for, so it can be damaged: all attributes but ``number``
/// and ``ply`` may raise ``DamagedError``. Headers need no moves. Of a game with an illegal move
/// all that lists moves, clocks, comments and the like ends before it.
///
/// >>> game = archive[0]
/// >>> game
/// <pgna.Game 1: Morphy, Paul - Amateur, 1-0>
/// >>> game.headers["Result"], game.san[:3], game.uci[:3]
/// ('1-0', ['e4', 'e5', 'Nf3'], ['e2e4', 'e7e5', 'g1f3'])
#[pyclass(frozen, module = "pgna")]
pub(crate) struct Game {
    archive: OpenArchive,
    number: u64,
    place: Option<Place>,
    parsed: OnceLock<pgna::Game>,
}

impl Game {
    pub(crate) fn new(archive: OpenArchive, number: u64, place: Option<Place>) -> Self {
        Game {
            archive,
            number,
            place,
            parsed: OnceLock::new(),
        }
    }

    /// Reads from the archive.
    fn read<T: Send>(
        &self,
        py: Python<'_>,
        read: impl FnOnce(&Archive) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        self.archive.check_file()?;
        let read = py.detach(|| read(&self.archive));
        read.map_err(|error| errors::of_game(py, &error, self.archive.path(), self.number))
    }

    /// The decoded game.
    fn parsed(&self, py: Python<'_>) -> PyResult<&pgna::Game> {
        if let Some(parsed) = self.parsed.get() {
            return Ok(parsed);
        }
        let parsed = self.read(py, |archive| archive.game(self.number))?;
        Ok(self.parsed.get_or_init(|| parsed))
    }

    /// A column of the game.
    fn column(&self, py: Python<'_>, column: &GameColumn) -> PyResult<Option<ColumnData>> {
        let game = self.parsed(py)?;
        Ok(py.detach(|| game.column(column)))
    }

    /// A list of texts, which are ASCII.
    fn texts(&self, py: Python<'_>, column: &GameColumn) -> PyResult<Vec<String>> {
        match self.column(py, column)? {
            Some(ColumnData::TextLists(texts)) => {
                Ok(texts.get(0).map(|text| self.text(text)).collect())
            }
            _ => Ok(Vec::new()),
        }
    }

    /// Text of the game.
    fn text(&self, bytes: &[u8]) -> String {
        self.archive.encoding().decode(bytes).into_owned()
    }

    fn numbers(&self, py: Python<'_>, column: &GameColumn) -> PyResult<Vec<Option<i32>>> {
        match self.column(py, column)? {
            Some(ColumnData::Numbers(numbers)) => Ok(numbers.into_values()),
            _ => Ok(Vec::new()),
        }
    }

    fn head(&self, py: Python<'_>) -> PyResult<Vec<(String, String)>> {
        let tags = self.read(py, |archive| tags(archive, self.number))?;
        let mut seen = HashSet::new();
        let pairs = tags.iter().filter(|(name, _)| seen.insert(name));
        Ok(pairs
            .map(|(name, value)| (self.text(name), self.text(value)))
            .collect())
    }
}

#[pymethods]
impl Game {
    /// The number of the game in the archive. Numbers begin at 1.
    #[getter]
    fn number(&self) -> u64 {
        self.number
    }

    /// The number of plies before the position that a search has found; ``None`` if it looked for
    /// none, or found it only in a variation.
    #[getter]
    fn ply(&self) -> Option<usize> {
        match self.place {
            Some(Place::Ply(ply)) => Some(ply),
            _ => None,
        }
    }

    /// The tags, in order. Of tags with one name, the first.
    #[getter]
    fn headers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let headers = PyDict::new(py);
        for (name, value) in self.head(py)? {
            headers.set_item(name, value)?;
        }
        Ok(headers)
    }

    /// The text of the game, up to the next game. ``pgn_bytes`` has it as it was
    /// packed, also where it is not UTF-8.
    #[getter]
    fn pgn(&self, py: Python<'_>) -> PyResult<String> {
        let pgn = self.read(py, |archive| archive.text(self.number))?;
        Ok(self.text(&pgn))
    }

    /// The text of the game, up to the next game, exactly as it was packed.
    #[getter]
    fn pgn_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let pgn = self.read(py, |archive| archive.text(self.number))?;
        Ok(PyBytes::new(py, &pgn))
    }

    /// The moves of the main line, 16 bits each, as a memoryview that NumPy takes without a copy:
    /// the origin in bits 0 to 5, the target in bits 6 to 11 (a1 is 0, b1 is 1), the promotion in
    /// bits 12 to 14 (2 knight, 3 bishop, 4 rook, 5 queen); bit 15 is a drop, 0 a null move.
    ///
    /// >>> moves = archive[0].moves
    /// >>> moves.format, moves[0] & 63, moves[0] >> 6 & 63  # e2, e4
    /// ('H', 12, 28)
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.column(py, &GameColumn::Moves)? {
            Some(ColumnData::Plies(plies)) => plies_view(py, plies.values()),
            _ => plies_view(py, &[]),
        }
    }

    /// The moves of the main line in standard algebraic notation.
    #[getter]
    fn san(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.texts(py, &GameColumn::San)
    }

    /// The moves of the main line in UCI notation.
    #[getter]
    fn uci(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.texts(py, &GameColumn::Uci)
    }

    /// The clock after each move of the main line, in milliseconds, from comments as
    /// ``[%clk 0:03:00]``; ``None`` where there is none.
    ///
    /// >>> archive[1].clocks[:2]
    /// [180000, 179500]
    #[getter]
    fn clocks(&self, py: Python<'_>) -> PyResult<Vec<Option<i32>>> {
        self.numbers(py, &GameColumn::Clocks)
    }

    /// The evaluation after each move of the main line, in centipawns for White, from comments as
    /// ``[%eval 0.17]``; ``None`` where there is none. ``pgna.mate_in`` says which is a mate.
    ///
    /// >>> [pgna.mate_in(value) or value for value in archive[1].evals]
    /// [17, -3]
    #[getter]
    fn evals(&self, py: Python<'_>) -> PyResult<Vec<Option<i32>>> {
        self.numbers(py, &GameColumn::Evals)
    }

    /// The comments in braces: ``Comment(line, ply, text)``. Line 0 is the main line, line n is
    /// ``variations[n - 1]``; ``ply`` counts the moves before the comment from the start of the
    /// game.
    #[getter]
    fn comments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let Some(ColumnData::Comments(comments)) = self.column(py, &GameColumn::Comments)? else {
            return Ok(PyList::empty(py));
        };
        let class = py.import("pgna._types")?.getattr("Comment")?;
        let places = comments.lines.values().iter().zip(comments.plies.values());
        let comments = places.zip(comments.values.get(0));
        let comments =
            comments.map(|((line, ply), value)| class.call1((line, ply, self.text(value))));
        PyList::new(py, comments.collect::<PyResult<Vec<_>>>()?)
    }

    /// The numeric annotation glyphs: ``Nag(line, ply, nag)``, placed as comments are. ``!`` and
    /// the like are 1 to 6.
    #[getter]
    fn nags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let Some(ColumnData::Nags(nags)) = self.column(py, &GameColumn::Nags)? else {
            return Ok(PyList::empty(py));
        };
        let class = py.import("pgna._types")?.getattr("Nag")?;
        let places = nags.lines.values().iter().zip(nags.plies.values());
        let nags = places.zip(nags.values.values());
        let nags = nags.map(|((line, ply), nag)| class.call1((line, ply, nag)));
        PyList::new(py, nags.collect::<PyResult<Vec<_>>>()?)
    }

    /// The variations in the order of the text: ``Variation(parent, ply, moves)``. ``parent`` is
    /// the line in which it branches off, and ``ply`` the number of moves before its first move,
    /// both as of comments; ``moves`` are as of ``Game.moves``.
    #[getter]
    fn variations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let column = self.column(py, &GameColumn::Variations)?;
        let Some(ColumnData::Variations(variations)) = column else {
            return Ok(PyList::empty(py));
        };
        let class = py.import("pgna._types")?.getattr("Variation")?;
        let places = variations.parents.values().iter();
        let places = places.zip(variations.plies.values());
        let mut start = 0;
        let list = PyList::empty(py);
        for ((parent, ply), end) in places.zip(variations.ends.values()) {
            let end = usize::try_from(*end)?;
            let moves = variations.moves.values().get(start..end);
            let moves = plies_view(py, moves.unwrap_or_default())?;
            list.append(class.call1((parent, ply, moves))?)?;
            start = end;
        }
        Ok(list)
    }

    /// The FEN of the position after so many moves of the main line, by default after all. There
    /// is none (``IndexError``) beyond the last move, nor in a game whose tag ``FEN`` is illegal.
    ///
    /// >>> archive[0].board(1)
    /// 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'
    #[pyo3(signature = (ply=None))]
    fn board(&self, py: Python<'_>, ply: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
        let last = match self.column(py, &GameColumn::Moves)? {
            Some(ColumnData::Plies(plies)) => plies.values().len(),
            _ => 0,
        };
        let asked = match ply {
            Some(ply) => integer(ply)?.and_then(|ply| usize::try_from(ply).ok()),
            None => Some(last),
        };
        let game = self.parsed(py)?;
        let position = asked
            .filter(|ply| *ply <= last)
            .and_then(|ply| py.detach(|| game.position(ply)));
        position.as_ref().map(Position::fen).ok_or_else(|| {
            let ply = ply.map_or_else(|| last.to_string(), ToString::to_string);
            let number = self.number;
            PyIndexError::new_err(format!("game {number} has no position at ply {ply}"))
        })
    }

    /// The game as a ``chess.pgn.Game`` of the package ``chess``, which must be installed.
    fn chess<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let module = py.import("chess.pgn").map_err(|cause| {
            let error =
                PyImportError::new_err("chess() needs the package python-chess: pip install chess");
            error.set_cause(py, Some(cause));
            error
        })?;
        let text = py
            .import("io")?
            .call_method1("StringIO", (self.pgn(py)?,))?;
        module.call_method1("read_game", (text,))
    }

    /// Games are equal if they have the same number in the same open archive.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Game>().is_ok_and(|other| {
            let other = other.get();
            self.number == other.number && self.archive.is(&other.archive)
        })
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.archive.address(), self.number).hash(&mut hasher);
        hasher.finish()
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.pgn(py)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let head = self.head(py).unwrap_or_default();
        let tag = |name: &str| {
            let found = head.iter().find(|(found, _)| found == name);
            found.map_or("?", |(_, value)| value)
        };
        let [white, black, result] = ["White", "Black", "Result"].map(tag);
        format!("<pgna.Game {}: {white} - {black}, {result}>", self.number)
    }
}

/// The name and the value of a tag.
type TagPair = (Vec<u8>, Vec<u8>);

/// The tag pairs of a game, with escapes resolved.
fn tags(archive: &Archive, number: u64) -> Result<Vec<TagPair>, Error> {
    let game = archive.stored_game(number)?;
    // Tags may be in the part that is stored verbatim.
    if game.verbatim_reason()?.is_some() {
        return Ok(archive.game(number)?.tags);
    }
    let mut tags = archive.head(number)?.tags;
    for (name, value) in &mut tags {
        if value.contains(&b'\\')
            && let Some(resolved) = game.tag(name)?
        {
            *value = resolved;
        }
    }
    Ok(tags)
}

/// Plies as a memoryview of 16-bit integers. The buffer protocol is not in the stable ABI before
/// Python 3.11, so the memory is that of a bytes object.
fn plies_view<'py>(py: Python<'py>, plies: &[u16]) -> PyResult<Bound<'py, PyAny>> {
    let bytes: Vec<u8> = plies.iter().flat_map(|ply| ply.to_ne_bytes()).collect();
    let view = pyo3::types::PyMemoryView::from(PyBytes::new(py, &bytes).as_any())?;
    view.call_method1("cast", ("H",))
}
