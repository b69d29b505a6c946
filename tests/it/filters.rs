//! Filters find the same games regardless of the contents of the tag cache and of the indexes.

use crate::unprotected::unprotected;
use crate::{places, samples, sizes};
use pgna::{
    Archive, Bytes, Field, FieldValue, Indexes, Limits, PackOptions, PositionTest, Query, Warning,
    Writer,
};

fn pack(sources: &[Vec<u8>], indexes: Indexes) -> Vec<u8> {
    let options = PackOptions {
        block_records: 16,
        segment_bytes: 100_000,
        indexes,
        codecs: sizes::codecs(),
        ..PackOptions::default()
    };
    let mut writer = Writer::new(Vec::new(), options).unwrap();
    for source in sources {
        writer.add_source("games.pgn", &source[..]).unwrap();
    }
    let (mut archive, slot, _) = writer.finish_with_slot().unwrap();
    slot.write_to(&mut archive);
    archive
}

fn query(filter: &str) -> Query {
    Query {
        filter: Some(filter.parse().unwrap()),
        ..Query::default()
    }
}

/// The numbers of the games that match, and an error for each block that cannot be read.
fn found(archive: &Archive, query: &Query) -> Vec<Result<u64, String>> {
    let hits = archive.query(query).unwrap();
    hits.map(|hit| hit.map(|hit| hit.number).map_err(|error| error.to_string()))
        .collect()
}

fn numbers(archive: &Archive, filter: &str) -> Vec<u64> {
    let found = found(archive, &query(filter));
    found.into_iter().map(Result::unwrap).collect()
}

const FILTERS: [&str; 25] = [
    "player ~ \"an\"",
    "White ~ \"an\"",
    "white ~ \"AN\"",
    "WhiteElo > 2400",
    "WhiteElo > 2400 and BlackElo > 2400",
    "WhiteElo < 2000 or BlackElo > 2400 or ECO in B00..B99",
    "eco in B00..C99 and not Result = 1-0",
    "not Result?",
    "Date in 2000..2015",
    "Date = \"????.??.??\"",
    "Date < 1990 or UTCDate > 2010",
    "CurrentPosition ~ \" w \"",
    "FEN? and Result = 1-0",
    "SetUp = 1 or NoSuchTag?",
    "variant = chess960 or variant = atomic",
    "plies in 20..40 and player ~ \"e\"",
    "has comments and Event ~ \"a\"",
    "Opening ~ \"defen\" and not Annotator?",
    "elo.mean > 2000",
    "elo.diff <= 100 or winner ~ \"e\"",
    "loser.elo >= 1500 and year > 1990",
    "month in 1..3",
    "speed >= blitz and not increment = 0",
    "player ~ /^[A-M]/ and elo?",
    "comments ~ \"e\" or nag = 1 or mate",
];

/// The column of verdicts and the values of each game agree.
#[test]
fn fields_have_the_values_by_which_games_are_found() {
    let archive = Archive::new(pack(&samples::texts(), Indexes::Openings)).unwrap();
    let fields: Vec<Field> = Field::all()
        .map(|(name, _)| name.parse().unwrap())
        .collect();
    let of_game = |number| archive.game_values(number, &fields).unwrap();
    let all: Vec<Vec<Vec<FieldValue>>> = (1..=archive.games()).map(of_game).collect();
    for (at, field) in fields.iter().enumerate() {
        let games_with = |is_wanted: &dyn Fn(&FieldValue) -> bool| -> Vec<u64> {
            let games = (1..).zip(&all);
            let games = games.filter(|(_, values)| values[at].iter().any(is_wanted));
            games.map(|(number, _)| number).collect()
        };
        let present = games_with(&|_| true);
        assert!(!present.is_empty(), "{field}: no value");
        assert_eq!(numbers(&archive, &format!("{field}?")), present, "{field}");
        let mut values: Vec<&FieldValue> = all.iter().flat_map(|values| &values[at]).collect();
        values.sort_by_key(|value| value.to_string());
        values.dedup();
        for value in values.iter().step_by(1 + values.len() / 20) {
            let quoted = value.to_string().replace('\\', "\\\\").replace('"', "\\\"");
            let filter = format!("{field} = \"{quoted}\"");
            // The very text of a date is that of the tag Date.
            if field.to_string() == "Date" || quoted.is_empty() {
                continue;
            }
            let expected = games_with(&|other| other == *value);
            assert_eq!(numbers(&archive, &filter), expected, "{filter}");
        }
    }
}

#[test]
fn the_tag_cache_does_not_change_results() {
    let bytes = pack(&samples::texts(), Indexes::Openings);
    let open = |tag_cache_bytes| {
        let limits = Limits {
            tag_cache_bytes,
            ..Limits::default()
        };
        Archive::open(Bytes(bytes.clone()), limits).unwrap()
    };
    let shared = [0, 3_000, 100_000, 64 << 20].map(open);
    let mut hits = 0;
    for filter in FILTERS {
        let expected = numbers(&open(64 << 20), filter);
        for archive in &shared {
            for run in 0..2 {
                assert_eq!(numbers(archive, filter), expected, "{filter} {run}");
            }
        }
        hits += expected.len();
    }
    assert!(hits > 1000, "{hits}");
}

#[test]
fn the_tag_cache_does_not_change_position_results() {
    let bytes = pack(&samples::texts(), Indexes::Openings);
    let shared = Archive::new(bytes.clone()).unwrap();
    for filter in FILTERS {
        let query = Query {
            positions: vec![PositionTest::pattern(vec!["Pe4 pe5".parse().unwrap()])],
            ..query(filter)
        };
        let expected = found(&Archive::new(bytes.clone()).unwrap(), &query);
        assert_eq!(found(&shared, &query), expected, "{filter}");
        numbers(&shared, filter);
        assert_eq!(found(&shared, &query), expected, "{filter}");
    }
}

#[test]
fn a_damaged_block_is_reported_each_time() {
    let text: String = (0..200)
        .map(|n| format!("[White \"{n}\"]\n\n1. e4 e5 *\n\n"))
        .collect();
    let mut bytes = unprotected(pack(&[text.into_bytes()], Indexes::None));
    let tags = places::tags(&bytes)[3];
    bytes[tags] ^= 1;
    let archive = Archive::new(bytes).unwrap();
    let first = found(&archive, &query("White?"));
    assert_eq!(first.iter().filter(|hit| hit.is_err()).count(), 1);
    assert_eq!(found(&archive, &query("White?")), first);
    assert_eq!(found(&archive, &query("White? or Black?")), first);
}

const GAMES: usize = 600;

/// Games of a few openings whose tags follow from the moves, with irregular games among them.
fn games_of_openings() -> Vec<u8> {
    let openings = [
        (
            "B90",
            "Najdorf",
            "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6",
        ),
        (
            "C65",
            "Spanish \\\"Berlin\\\"",
            "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6",
        ),
        (
            "D37",
            "Queen's Gambit",
            "1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Nf3 Be7",
        ),
        ("A04", "Reti", "1. Nf3"),
        ("C42", "Petrov", "1. e4 e5 2. Nf3 Nf6"),
    ];
    let mut text = String::new();
    let mut random = 1u32;
    for number in 0..GAMES {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let (eco, name, moves) = openings[(random >> 16) as usize % openings.len()];
        let white = number % 13;
        let tags = format!("[White \"{white}\"]\n[ECO \"{eco}\"]\n[Opening \"{name}\"]\n");
        text += &match number % 50 {
            7 => format!("[White \"{white}\"]\n\n{moves} 1-0\n\n"),
            17 => format!("{tags}\n1. e4 Ke4 {{what}} 1-0\n\n"),
            27 => format!("[White \"{white}\"]\n[ECO \"other\"]\n[ECO \"{eco}\"]\n\n{moves} *\n\n"),
            37 => format!("[White {white}]\n[eco \"{eco}\"]\n\n{moves} 1-0\n\n"),
            47 => format!("[White \"{white}\" [ECO \"{eco}\"]\n\n{moves} 1-0\n\n"),
            _ => format!("{tags}\n{moves} 1-0\n\n"),
        };
    }
    text.into_bytes()
}

const OF_OPENINGS: [&str; 9] = [
    "ECO in B90..B99",
    "eco in B90..B99",
    "ECO = other",
    "not ECO?",
    "not eco?",
    "Opening = \"Spanish \\\"Berlin\\\"\"",
    "Opening ~ gambit and White = 3",
    "OPENING ~ \"e\" or White > 10",
    "not Opening?",
];

#[test]
fn the_index_holds_tags_derived_from_moves() {
    let text = [games_of_openings()];
    let none = Archive::new(pack(&text, Indexes::None)).unwrap();
    let whole = pack(&text, Indexes::Openings);
    let indexed = Archive::new(whole.clone()).unwrap();
    for filter in OF_OPENINGS {
        let expected = numbers(&none, filter);
        assert!(!expected.is_empty() && expected.len() < GAMES, "{filter}");
        for _ in 0..2 {
            assert_eq!(numbers(&indexed, filter), expected, "{filter}");
        }
    }
    assert_eq!(indexed.warnings(), []);
    let again = none.write_indexed(Vec::new(), Indexes::Openings, |_| {});
    let (mut again, slot) = again.unwrap();
    slot.write_to(&mut again);
    assert!(again == whole);
}

#[test]
fn blocks_are_not_read_where_an_index_decides() {
    let text = [games_of_openings()];
    let whole = unprotected(pack(&text, Indexes::Openings));
    let mut damaged = whole.clone();
    for place in places::tags(&whole) {
        damaged[place] ^= 1;
    }
    let [whole, damaged] = [whole, damaged].map(|bytes| Archive::new(bytes).unwrap());
    // One of the two may be predicted from the other instead of from the index.
    let filters = ["Opening ~ gambit", "ECO = D37"];
    let is_decided_by_index =
        |filter: &&str| found(&damaged, &query(filter)).iter().all(Result::is_ok);
    let decided: Vec<&str> = filters.into_iter().filter(is_decided_by_index).collect();
    assert!(!decided.is_empty());
    for filter in decided {
        assert_eq!(numbers(&damaged, filter), numbers(&whole, filter));
    }
    assert!(
        found(&damaged, &query("White = 3"))
            .iter()
            .all(Result::is_err)
    );
}

#[test]
fn a_damaged_tag_index_is_ignored() {
    let text = [games_of_openings()];
    let whole = unprotected(pack(&text, Indexes::Openings));
    let mut indexes = places::indexes(&whole).into_iter();
    let (_, place) = indexes.find(|(name, _)| *name == "derived tags").unwrap();
    let mut damaged = whole.clone();
    damaged[place] ^= 1;
    let [whole, damaged] = [whole, damaged].map(|bytes| Archive::new(bytes).unwrap());
    for filter in OF_OPENINGS {
        assert_eq!(numbers(&damaged, filter), numbers(&whole, filter));
    }
    let warnings = damaged.warnings();
    assert!(matches!(&warnings[..], [Warning::IndexIgnored { .. }]));
}
