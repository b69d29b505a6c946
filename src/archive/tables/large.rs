//! The large tables of a segment: its large dictionaries and the preset text. They are loaded on
//! first use, because moves are decoded without them.

use crate::archive::error::ContentError;
use crate::archive::schema::registry::{ColumnId, DICTIONARY, LARGE_DICTIONARY};
use crate::archive::tables::preset_text::SegmentPresetText;
use crate::codec::dictionary::{Dictionary, announced};
use crate::codec::error::CodecError;
use crate::container::Tables;
use crate::limits::Limits;
use crate::parallel::TryOnce;
use std::collections::BTreeMap;
use std::fmt;

/// How all tables of a segment are read when large ones are first needed.
pub(crate) struct TablesSource(Box<dyn Fn() -> Result<Tables, ContentError> + Send + Sync>);

impl TablesSource {
    pub(crate) fn new(
        read: impl Fn() -> Result<Tables, ContentError> + Send + Sync + 'static,
    ) -> Self {
        TablesSource(Box::new(read))
    }
}

impl fmt::Debug for TablesSource {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("TablesSource")
    }
}

/// The dictionaries of a segment.
#[derive(Debug, Default)]
pub(super) struct SmallDictionaries {
    pub(super) parsed: BTreeMap<ColumnId, Dictionary>,
    /// The number of strings of each large dictionary.
    pub(super) announced: BTreeMap<ColumnId, usize>,
}

impl SmallDictionaries {
    /// Reads the dictionaries that are not large, and subtracts their memory from the limit.
    pub(super) fn read(tables: &Tables, limits: &mut Limits) -> Result<Self, CodecError> {
        let mut dictionaries = SmallDictionaries::default();
        for table in tables.iter().filter(|table| table.kind == DICTIONARY) {
            let column = ColumnId(table.key);
            if let Some(strings) = announced(table.bytes)? {
                dictionaries.announced.insert(column, strings);
                continue;
            }
            let dictionary = parse(table.bytes, limits)?;
            dictionaries.parsed.insert(column, dictionary);
        }
        Ok(dictionaries)
    }

    /// The number of strings of a column's dictionary; 0 if it has none.
    pub(super) fn strings(&self, column: ColumnId) -> usize {
        let parsed = self.parsed.get(&column).map(Dictionary::len);
        let strings = parsed.or_else(|| self.announced.get(&column).copied());
        strings.unwrap_or(0)
    }
}

/// The large tables, loaded on first use.
#[derive(Debug)]
pub(super) struct LargeTables {
    /// The number of strings of each large dictionary.
    announced: BTreeMap<ColumnId, usize>,
    /// The limits that the other tables leave.
    limits: Limits,
    /// `None` if the tables were all read at once.
    source: Option<TablesSource>,
    /// What was loaded, or why it is lost.
    loaded: TryOnce<Result<LoadedTables, ContentError>>,
}

/// The large tables once loaded.
#[derive(Debug)]
pub(super) struct LoadedTables {
    pub(super) dictionaries: BTreeMap<ColumnId, Dictionary>,
    pub(super) preset_text: SegmentPresetText,
}

impl LargeTables {
    /// Large tables with these dictionaries, within what is left of the limits.
    pub(super) fn new(announced: BTreeMap<ColumnId, usize>, limits: Limits) -> Self {
        LargeTables {
            announced,
            limits,
            source: None,
            loaded: TryOnce::default(),
        }
    }

    /// Sets how they are loaded on first use.
    pub(super) fn set_source(&mut self, source: TablesSource) {
        self.source = Some(source);
    }

    /// Reads them from all tables of the segment now.
    pub(super) fn load_from(&self, tables: &Tables) -> Result<(), ContentError> {
        let loaded = || match self.read(tables) {
            Err(error) if !error.is_loss() => Err(error),
            read => Ok(read),
        };
        self.loaded.get_or_try_init(loaded).map(drop)
    }

    /// Whether they need not be read any more.
    pub(super) fn is_loaded(&self) -> bool {
        self.loaded.is_made()
    }

    /// Whether the dictionary of a column is large.
    pub(super) fn has(&self, column: ColumnId) -> bool {
        self.announced.contains_key(&column)
    }

    /// The loaded tables.
    ///
    /// # Errors
    /// They cannot be read. A loss is remembered, a failure that may pass is not.
    pub(super) fn get(&self) -> Result<&LoadedTables, ContentError> {
        let load = || {
            let missing = ContentError::Invalid("the large tables are missing");
            let source = self.source.as_ref().ok_or(missing)?;
            match (source.0)() {
                Ok(tables) => Ok(self.read(&tables)),
                Err(error) if error.is_loss() => Ok(Err(error)),
                Err(error) => Err(error),
            }
        };
        let loaded = self.loaded.get_or_try_init(load)?;
        loaded.as_ref().map_err(Clone::clone)
    }

    fn read(&self, tables: &Tables) -> Result<LoadedTables, ContentError> {
        let mut limits = self.limits.clone();
        let mut dictionaries = BTreeMap::new();
        for (column, strings) in &self.announced {
            let bytes = tables.get(LARGE_DICTIONARY, column.0);
            let bytes = bytes.ok_or(ContentError::Invalid("a large dictionary is missing"))?;
            let dictionary = parse(bytes, &mut limits)?;
            if dictionary.len() != *strings {
                return Err(ContentError::Invalid(
                    "a large dictionary of another number of strings than announced",
                ));
            }
            dictionaries.insert(*column, dictionary);
        }
        Ok(LoadedTables {
            dictionaries,
            preset_text: SegmentPresetText::of(tables, &limits),
        })
    }
}

/// Parses a dictionary, and subtracts its memory from the limit.
fn parse(bytes: &[u8], limits: &mut Limits) -> Result<Dictionary, CodecError> {
    let dictionary = Dictionary::parse(bytes, limits)?;
    limits.tables_bytes -= dictionary.max_memory_bytes().min(limits.tables_bytes);
    Ok(dictionary)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::dictionary::{announce, build};
    use crate::container::ContainerError;
    use std::io;
    use std::sync::atomic::{AtomicU32, Ordering};

    const COLUMN: ColumnId = ColumnId(40);

    fn tables(announced: usize) -> Tables {
        let (bytes, _) = build(vec![b"Hastings".to_vec(), b"Linares".to_vec()]);
        let mut tables = Tables::default();
        let stated = announce(announced);
        tables.push(DICTIONARY, COLUMN.0, &stated).unwrap();
        tables.push(LARGE_DICTIONARY, COLUMN.0, &bytes).unwrap();
        tables
    }

    fn large(announced: usize, limits: &Limits, source: Option<TablesSource>) -> LargeTables {
        let mut limits = limits.clone();
        let small = SmallDictionaries::read(&tables(announced), &mut limits).unwrap();
        assert_eq!(small.strings(COLUMN), announced);
        let mut large = LargeTables::new(small.announced, limits);
        large.source = source;
        large
    }

    fn source(announced: usize) -> Option<TablesSource> {
        Some(TablesSource::new(move || Ok(tables(announced))))
    }

    #[test]
    fn large_dictionaries_are_loaded_on_first_use() {
        let limits = Limits::default();
        let large = large(2, &limits, source(2));
        assert!(large.has(COLUMN) && !large.has(ColumnId(41)));
        let dictionary = &large.get().unwrap().dictionaries[&COLUMN];
        assert_eq!(dictionary.get(1), Ok(&b"Linares"[..]));
        let now = self::large(2, &limits, None);
        assert!(now.get().is_err());
        now.load_from(&tables(2)).unwrap();
        assert!(now.get().is_ok());
    }

    #[test]
    fn another_number_of_strings_is_damage() {
        let large = large(3, &Limits::default(), source(3));
        assert!(matches!(large.get(), Err(ContentError::Invalid(_))));
    }

    #[test]
    fn the_limit_is_for_all_tables_together() {
        let limits = Limits {
            tables_bytes: 100,
            ..Limits::default()
        };
        let large = large(2, &limits, source(2));
        assert!(matches!(
            large.get(),
            Err(ContentError::Codec(CodecError::Limit(_)))
        ));
    }

    #[test]
    fn failures_that_may_pass_are_not_remembered() {
        let reads = AtomicU32::new(0);
        let source = TablesSource::new(move || match reads.fetch_add(1, Ordering::Relaxed) {
            0 => Err(ContainerError::Io {
                offset: 80,
                source: io::ErrorKind::ConnectionReset.into(),
            }
            .into()),
            _ => Ok(tables(2)),
        });
        let large = large(2, &Limits::default(), Some(source));
        assert!(large.get().is_err_and(|error| !error.is_loss()));
        assert!(large.get().is_ok());
    }
}
