//! Arbitrary bytes, packed as one source or several, in one segment or many, with each model: they
//! round-trip as games and as a whole.

use crate::archives::{all_columns, check_batch, pack_with, texts_of, unpack};
use pgna::{Archive, BuiltinModel};

const NAMES: [&str; 3] = ["a.pgn", "folder/b.pgn", "c"];

pub(super) fn check(input: &[u8]) {
    let [options, text @ ..] = input else {
        return;
    };
    let sources = 1 + usize::from(options & 1) + usize::from(options >> 1 & 1);
    let segment_bytes = if options & 4 == 0 { 1 << 20 } else { 512 };
    let size = text.len().div_ceil(sources).max(1);
    let mut parts = text.chunks(size);
    let sources: Vec<(&str, &[u8])> = NAMES[..sources]
        .iter()
        .map(|name| (*name, parts.next().unwrap_or_default()))
        .collect();

    let model = BuiltinModel::ALL[usize::from(options >> 4) % BuiltinModel::ALL.len()];
    let packed = pack_with(&sources, segment_bytes, model);
    let archive = Archive::new(&packed[..]).expect("what was packed opens");
    assert!(archive.warnings().is_empty());
    let unpacked = unpack(&archive).expect("what was packed unpacks");
    let expected: Vec<(String, Vec<u8>)> = sources
        .iter()
        .map(|(name, text)| ((*name).to_owned(), text.to_vec()))
        .collect();
    assert_eq!(unpacked.0, expected);
    check_games(&archive, text);
    if options & 8 != 0 {
        let again = pack_with(&sources, segment_bytes, model);
        assert_eq!(again, packed, "other bytes again");
    }
}

/// The games occur in the text in order.
fn check_games(archive: &Archive, mut text: &[u8]) {
    for number in 1..=archive.games() {
        let game = archive.text(number).expect("a game");
        assert!(!game.is_empty());
        let at = text.windows(game.len()).position(|window| window == game);
        text = &text[at.expect("a game of the text") + game.len()..];
        assert_eq!(archive.head(number).expect("a game").number, number);
    }
    assert!(archive.text(archive.games() + 1).is_err());
    let mut numbers = 1..=archive.games();
    for batch in archive.scan(all_columns()) {
        let batch = batch.expect("columns of what was packed");
        check_batch(&batch);
        let texts = texts_of(&batch);
        for (number, text) in batch.games.iter().zip(texts.iter()) {
            assert_eq!(Some(*number), numbers.next());
            assert_eq!(archive.text(*number).expect("a game"), text);
            archive.game(*number).expect("a game");
        }
    }
    assert_eq!(numbers.next(), None, "games without columns");
    assert!(archive.text(0).is_err());
}
