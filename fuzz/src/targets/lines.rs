//! An archive of short games whose lines have what expressions ask for.

use pgna::{Archive, Hit, Indexes, PackOptions, Place, Query, Writer};
use std::sync::LazyLock;

const TEXT: &str = "\
[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O d6 5. d3 Be6 6. Bxe6 fxe6 7. Nc3 Qd7 8. Be3 O-O-O 1-0\n\n\
[Result \"0-1\"]\n\n1. f3 (1. Nf3 Nf6 (1... d5 2. e4 dxe4) 2. Ng1 Ng8 3. Nf3) 1... e5 2. g4 Qh4# 0-1\n\n\
[FEN \"4k3/P6p/8/3pP3/8/8/5b2/4K3 w - d6 0 1\"]\n\n1. exd6 -- 2. a8=N h5 (2... Kd7 3. --) *\n\n\
[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@d7+ *\n";

/// The number of games.
pub(super) const GAMES: u64 = 4;

static ARCHIVE: LazyLock<Archive> = LazyLock::new(|| {
    let options = PackOptions {
        indexes: Indexes::Full,
        ..PackOptions::default()
    };
    let mut writer = Writer::new(Vec::new(), options).expect("a writer");
    writer
        .add_source("games.pgn", TEXT.as_bytes())
        .expect("games");
    let (bytes, _) = writer.finish().expect("an archive");
    Archive::new(bytes).expect("what was packed opens")
});

/// The hits of a query.
pub(super) fn find(query: &Query) -> Vec<(u64, Option<Place>)> {
    let hits = ARCHIVE.query(query).expect("a query");
    let hits = hits.map(|hit| hit.expect("a whole archive"));
    hits.map(|hit: Hit| (hit.number, hit.place)).collect()
}
