//! The rows of a batch.

use pgna::{Annotations, ColumnData, Game, GameBatch, Lists, TextColumn, TextLists, Variations};

/// The values of one game, in the form in which they are compared.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Row {
    pub(super) number: i64,
    pub(super) source: Option<String>,
    pub(super) tags: Vec<Option<Vec<u8>>>,
    pub(super) typed: Vec<Option<i64>>,
    pub(super) start: Option<Vec<u8>>,
    pub(super) moves: Vec<u16>,
    pub(super) san: Vec<String>,
    pub(super) uci: Vec<String>,
    pub(super) fens: Vec<String>,
    pub(super) clocks: Vec<Option<i32>>,
    pub(super) evals: Vec<Option<i32>>,
    pub(super) comments: Vec<(u32, u32, Vec<u8>)>,
    pub(super) nags: Vec<(u32, u32, u8)>,
    pub(super) variations: Vec<(u32, u32, Vec<u16>)>,
    pub(super) text: Vec<u8>,
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn texts(lists: &TextLists, game: usize) -> Vec<String> {
    lists.get(game).map(text).collect()
}

fn value(column: &TextColumn, game: usize) -> Option<Vec<u8>> {
    column.get(game).map(<[u8]>::to_vec)
}

fn comments(column: &Annotations<TextLists>, game: usize) -> Vec<(u32, u32, Vec<u8>)> {
    let places = column.lines.get(game).unwrap().iter();
    let places = places.zip(column.plies.get(game).unwrap());
    let texts = column.values.get(game).map(<[u8]>::to_vec);
    let all: Vec<_> = texts.collect();
    assert_eq!(all.len(), places.len());
    places
        .zip(all)
        .map(|((line, ply), text)| (*line, *ply, text))
        .collect()
}

fn nags(column: &Annotations<Lists<u8>>, game: usize) -> Vec<(u32, u32, u8)> {
    let places = column.lines.get(game).unwrap().iter();
    let places = places.zip(column.plies.get(game).unwrap());
    let nags = column.values.get(game).unwrap().iter();
    places
        .zip(nags)
        .map(|((line, ply), nag)| (*line, *ply, *nag))
        .collect()
}

fn variations(column: &Variations, game: usize) -> Vec<(u32, u32, Vec<u16>)> {
    let moves = column.moves.get(game).unwrap();
    let mut start = 0;
    let ends = column.ends.get(game).unwrap().iter();
    let places = column.parents.get(game).unwrap().iter();
    let places = places.zip(column.plies.get(game).unwrap());
    let of_variation = |((parent, plies), end): ((&u32, &u32), &u32)| {
        let end = usize::try_from(*end).unwrap();
        let own = moves[start..end].to_vec();
        start = end;
        (*parent, *plies, own)
    };
    places.zip(ends).map(of_variation).collect()
}

/// The rows of a batch of [`pgna_fuzz::all_columns`].
pub(super) fn rows(batch: &GameBatch) -> Vec<Row> {
    let [
        ColumnData::Integers(number),
        ColumnData::Dictionary(source),
        ColumnData::Dictionary(white),
        ColumnData::Dictionary(result),
        ColumnData::Dictionary(opening),
        ColumnData::Integers(elo),
        ColumnData::Integers(date),
        ColumnData::Integers(time),
        ColumnData::Integers(found_at),
        ColumnData::Integers(ply_count),
        ColumnData::Dictionary(start),
        ColumnData::Plies(moves),
        ColumnData::TextLists(san),
        ColumnData::TextLists(uci),
        ColumnData::TextLists(fens),
        ColumnData::Numbers(clocks),
        ColumnData::Numbers(evals),
        ColumnData::Comments(comment),
        ColumnData::Nags(nag),
        ColumnData::Variations(variation),
        ColumnData::Texts(movetext),
        ColumnData::Texts(full_text),
    ] = &batch.columns[..]
    else {
        panic!("other columns than asked for");
    };
    let row = |game: usize| {
        assert_eq!(found_at[game], None, "no position was sought");
        assert!(date[game].is_none_or(|days| (-719_162..2_932_897).contains(&days)));
        assert!(time[game].is_none_or(|time| (0..86_400).contains(&time)));
        let full_text = full_text.get(game).unwrap();
        let movetext = movetext.get(game).unwrap();
        assert!(full_text.trim_ascii_end().ends_with(movetext));
        let plies = |text: &[u8]| Game::parse(text).main_line().count();
        assert_eq!(plies(movetext), plies(full_text));
        let in_text = Game::parse(full_text);
        let plies = in_text.main_line().count();
        let what = String::from_utf8_lossy(full_text);
        assert_eq!(ply_count[game], i64::try_from(plies).ok(), "{what}");
        Row {
            number: number[game].unwrap(),
            source: source.get(game).map(text),
            tags: [white, result, opening]
                .map(|tag| value(tag, game))
                .to_vec(),
            typed: vec![elo[game]],
            start: start.get(game).map(<[u8]>::to_vec),
            moves: moves.get(game).unwrap().to_vec(),
            san: texts(san, game),
            uci: texts(uci, game),
            fens: texts(fens, game),
            clocks: clocks.get(game).unwrap().to_vec(),
            evals: evals.get(game).unwrap().to_vec(),
            comments: comments(comment, game),
            nags: nags(nag, game),
            variations: variations(variation, game),
            text: full_text.to_vec(),
        }
    };
    (0..batch.games.len()).map(row).collect()
}
