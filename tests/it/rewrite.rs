//! Selecting, sorting, splitting and deduplicating games: which games, in which order, which bytes.

use crate::unprotected::unprotected;
use crate::{places, samples, sizes};
use pgna::{
    Archive, Duplicate, DuplicateCriteria, GamePart, JoinStats, JoinedReader, PackOptions, Ply,
    ShareSize, SortKey, SplitParts, Spool, Writer,
};
use std::cmp::Reverse;
use std::io::Read;

fn pack<T: AsRef<[u8]>>(sources: &[T]) -> Archive {
    let options = PackOptions {
        block_records: 5,
        segment_bytes: 20_000,
        codecs: sizes::codecs(),
        ..PackOptions::default()
    };
    pack_with(sources, options)
}

fn pack_with<T: AsRef<[u8]>>(sources: &[T], options: PackOptions) -> Archive {
    let mut writer = Writer::new(Vec::new(), options).unwrap();
    for source in sources {
        writer.add_source("games.pgn", source.as_ref()).unwrap();
    }
    let (mut archive, slot, _) = writer.finish_with_slot().unwrap();
    slot.write_to(&mut archive);
    Archive::new(archive).unwrap()
}

fn sample_archive() -> Archive {
    pack(&samples::texts())
}

fn texts(archive: &Archive) -> Vec<Vec<u8>> {
    archive.texts().map(Result::unwrap).collect()
}

fn join(parts: impl Iterator<Item = Result<GamePart, pgna::Error>>) -> (Vec<u8>, JoinStats) {
    let mut joined = JoinedReader::new(parts);
    let mut text = Vec::new();
    joined.read_to_end(&mut text).unwrap();
    assert_eq!(joined.joins().bytes, text.len() as u64);
    (text, joined.joins().clone())
}

/// The games that a reader of the text finds.
fn games_of(text: &[u8]) -> Vec<Vec<u8>> {
    texts(&pack(&[text]))
}

/// A deterministic pseudorandom generator (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap() % bound
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

#[test]
fn parts_are_the_chosen_games() {
    let archive = sample_archive();
    let all = texts(&archive);
    for (first, step) in [(1, 1), (1, 2), (3, 7), (archive.games(), 1)] {
        let is_chosen = move |game: u64| game >= first && (game - first).is_multiple_of(step);
        let parts = archive.parts(is_chosen).map(Result::unwrap);
        let parts: Vec<(u64, Vec<u8>)> = parts.map(|part| (part.game, part.text)).collect();
        let expected = (1..).zip(&all).filter(|(game, _)| is_chosen(*game));
        let expected: Vec<(u64, Vec<u8>)> =
            expected.map(|(game, text)| (game, text.clone())).collect();
        assert_eq!(parts, expected);
    }
    assert_eq!(archive.parts(|_| false).count(), 0);
}

#[test]
fn files_without_leading_text_round_trip() {
    for (name, text) in samples::files() {
        let archive = pack(&[&text]);
        let has_text = archive.totals().records > archive.games();
        let mut parts = archive.parts(|_| true);
        let (joined, joins) = join(parts.by_ref());
        if !has_text && joins.first_modified.is_none() {
            assert_eq!(joined, *text, "{name}");
        }
        assert!(has_text || parts.text_left_out() == 0, "{name}");
        assert!(
            text.ends_with(&joined) || joins.first_modified.is_some(),
            "{name}"
        );
    }
}

#[test]
fn joined_games_can_be_split_in_any_order() {
    let archive = sample_archive();
    let all = texts(&archive);
    let spool = Spool::of(&archive, &std::env::temp_dir(), |_| ()).unwrap();
    let mut random = Random(7);
    for _ in 0..20 {
        let order: Vec<usize> = (0..60).map(|_| random.below(all.len())).collect();
        let (text, joins) = join(spool.parts(order.iter().map(|game| *game as u64 + 1)));
        assert_eq!(joins.games, 60);
        let cut = games_of(&text);
        if joins.unseparated == 0 {
            assert_eq!(cut.len(), 60);
        }
        // The bytes of every game, however malformed, are present and in order.
        let mut rest = &text[..];
        for game in &order {
            let at = memchr::memmem::find(rest, &all[*game]).expect("the game's bytes");
            rest = &rest[at + all[*game].len()..];
        }
    }
}

#[test]
fn a_spool_returns_the_parts_of_the_archive() {
    let archive = sample_archive();
    let spool = Spool::of(&archive, &std::env::temp_dir(), |_| ()).unwrap();
    let direct: Vec<GamePart> = archive.parts(|_| true).map(Result::unwrap).collect();
    let spooled: Vec<GamePart> = spool
        .parts(1..=archive.games())
        .map(Result::unwrap)
        .collect();
    assert_eq!(direct, spooled);
    assert_eq!(spool.parts([0, archive.games() + 1, u64::MAX]).count(), 0);
}

#[test]
fn several_threads_read_a_spool() {
    let archive = sample_archive();
    let spool = Spool::of(&archive, &std::env::temp_dir(), |_| ()).unwrap();
    let direct: Vec<GamePart> = archive.parts(|_| true).map(Result::unwrap).collect();
    let read = || {
        for _ in 0..20 {
            let parts = spool.parts(1..=archive.games()).map(Result::unwrap);
            assert!(parts.eq(direct.iter().cloned()));
        }
    };
    std::thread::scope(|threads| {
        threads.spawn(read);
        threads.spawn(read);
    });
}

/// A game longer than 16 MiB is stored as several records but counts as one game.
#[test]
fn games_of_several_records_stay_whole() {
    let line = format!("{}\n", "blah".repeat(20));
    let long = format!("[Event \"long\"]\n\n1. e4 {}\n", line.repeat(7 << 15));
    let last = "[Event \"last\"]\n\n1. d4 *\n";
    let source = format!("text\n{long}{last}");
    let sources = [source.as_str(), "more text\n[Event \"b\"]\n*\n"];
    let archive = pack_with(&sources, PackOptions::default());
    assert_eq!(archive.games(), 3);
    let mut parts = archive.parts(|_| true);
    let all: Vec<GamePart> = parts.by_ref().map(Result::unwrap).collect();
    assert_eq!(parts.text_left_out(), 4 + 8);
    let firsts: Vec<bool> = all.iter().map(|part| part.is_first).collect();
    assert_eq!(firsts, [true, false, true, true]);
    let text: Vec<u8> = all[..2].iter().flat_map(|part| part.text.clone()).collect();
    assert_eq!(text, long.as_bytes());
    let only: Vec<GamePart> = archive
        .parts(|game| game == 1)
        .map(Result::unwrap)
        .collect();
    assert_eq!(only, all[..2]);
    let spool = Spool::of(&archive, &std::env::temp_dir(), |_| ()).unwrap();
    let spooled: Vec<GamePart> = spool.parts(1..=3).map(Result::unwrap).collect();
    assert_eq!(spooled, all);
    let (text, joins) = join(spool.parts([2, 1, 3]));
    assert_eq!((joins.games, joins.first_modified), (3, None));
    let cut = games_of(&text);
    assert_eq!(cut.len(), 3);
    assert!(cut[0].starts_with(last.as_bytes()) && cut[2].starts_with(b"[Event \"b\"]"));
}

#[test]
fn shares_cover_every_game_once() {
    let archive = sample_archive();
    let bytes = |parts: &[GamePart]| parts.iter().map(|part| part.text.len() as u64).sum::<u64>();
    for share in [
        ShareSize::Games(0),
        ShareSize::Games(1),
        ShareSize::Games(7),
        ShareSize::Games(u64::MAX),
        ShareSize::Bytes(0),
        ShareSize::Bytes(1),
        ShareSize::Bytes(3000),
    ] {
        let mut shares = SplitParts::new(archive.parts(|_| true), share);
        let mut games = Vec::new();
        while !shares.is_done() {
            let parts: Vec<GamePart> = shares.next_share().map(Result::unwrap).collect();
            match share {
                ShareSize::Games(most) => assert!(parts.len() as u64 <= most.max(1)),
                ShareSize::Bytes(most) => assert!(parts.len() == 1 || bytes(&parts) <= most),
                _ => unreachable!("sizes of two kinds"),
            }
            assert!(!parts.is_empty());
            games.extend(parts.iter().map(|part| part.game));
        }
        assert!(games.into_iter().eq(1..=archive.games()));
    }
}

/// Games whose tags take few different values.
fn tagged_games() -> String {
    let mut random = Random(99);
    let mut text = String::new();
    for _ in 0..400 {
        let date = random.of(&[
            "1999.05.06",
            "2001.01.02",
            "2001.01.??",
            "????.??.??",
            "?",
            "1850",
            "2011.19.11",
        ]);
        let elo = random.of(&["900", "1800", "2700", "", "?", "0", "n/a"]);
        let round = random.of(&["1", "1.2", "1.10", "10", "2", "-"]);
        let plies = random.below(4);
        let moves = ["e4 ", "e5 ", "Nf3 "][..plies.min(3)].concat();
        text.push_str(&format!("[Date \"{date}\"]\n[Round \"{round}\"]\n"));
        if random.below(3) > 0 {
            text.push_str(&format!("[WhiteElo \"{elo}\"]\n"));
        }
        text.push_str(&format!("\n{moves}*\n\n"));
    }
    text
}

/// The reference sort key of a value; `None` for a placeholder and for what is no value of the tag.
fn sort_key(name: &str, value: Option<&[u8]>) -> Option<Vec<u64>> {
    let text = String::from_utf8(value?.to_vec()).unwrap();
    match name {
        "Date" => {
            let parts: Vec<u64> = text
                .split('.')
                .map(|part| part.parse().unwrap_or(0))
                .collect();
            let part = |at: usize| parts.get(at).copied().unwrap_or(0);
            let is_date = part(0) > 0 && part(1) <= 12;
            is_date.then(|| vec![part(0), part(1), part(2)])
        }
        _ => text.split('.').map(|part| part.parse().ok()).collect(),
    }
}

#[test]
fn sorting_matches_a_reference_sort() {
    let archive = pack(&[tagged_games()]);
    let games: Vec<_> = (1..=archive.games())
        .map(|game| archive.game(game).unwrap())
        .collect();
    for names in [
        vec!["Date"],
        vec!["-Date", "Round"],
        vec!["-WhiteElo"],
        vec!["round", "-whiteelo"],
        vec!["-plies", "WhiteElo", "Date"],
        vec!["NoSuchTag"],
    ] {
        let keys: Vec<SortKey> = names.iter().map(|name| name.parse().unwrap()).collect();
        let key_of = |game: &u64, name: &str| {
            let game = &games[usize::try_from(*game).unwrap() - 1];
            match name.trim_start_matches('-').to_lowercase().as_str() {
                "plies" => Some(vec![game.main_line().count() as u64]),
                "date" => sort_key("Date", game.tag(b"Date")),
                "round" => sort_key("Round", game.tag(b"Round")),
                "whiteelo" => sort_key("WhiteElo", game.tag(b"WhiteElo")),
                _ => None,
            }
        };
        let mut expected: Vec<u64> = (1..=archive.games()).collect();
        for name in names.iter().rev() {
            match name.starts_with('-') {
                true => expected.sort_by_key(|game| {
                    let key = key_of(game, name);
                    (key.is_none(), Reverse(key))
                }),
                false => expected.sort_by_key(|game| {
                    let key = key_of(game, name);
                    (key.is_none(), key)
                }),
            }
        }
        assert_eq!(archive.sorted(&keys).unwrap(), expected, "{names:?}");
    }
}

/// Games with many duplicates, and with many whose moves are a prefix of another's.
fn repeated_games() -> String {
    let mut random = Random(3);
    let lines = [
        "e4",
        "e4 e5",
        "e4 e5 Nf3",
        "e4 e5 Nf3 Nc6",
        "d4",
        "d4 d5",
        "d4 d5 c4",
        "",
        "e4 e4",
        "e4 c6 Ke7",
    ];
    let players = [
        "Tal, M.",
        "TAL M",
        "tal,m",
        "Botvinnik",
        "?",
        "Müller",
        "MÜLLER",
    ];
    let mut text = String::new();
    for _ in 0..300 {
        text.push_str(&format!("[White \"{}\"]\n", random.of(&players)));
        if random.below(4) > 0 {
            text.push_str(&format!("[Black \"{}\"]\n", random.of(&players[..3])));
        }
        if random.below(5) == 0 {
            let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0";
            text.push_str(&format!("[FEN \"{fen} {}\"]\n", 1 + random.below(2)));
        }
        if random.below(9) == 0 {
            text.push_str("[Variant \"Atomic\"]\n");
        }
        let note = random.of(&["", "", "{a comment} ", "! ", "(d3) "]);
        let line = random.of(&lines);
        let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
        let note = if line.is_empty() { "" } else { note };
        text.push_str(&format!("\n{first} {note}{rest} *\n\n"));
    }
    text
}

/// The reference comparison key of a game.
#[derive(Debug, PartialEq, Clone)]
enum ComparisonKey {
    Moves(Vec<u8>, [String; 2], Vec<Ply>),
    /// All tags and the moves of a game with an unknown player.
    Tags(String, Vec<Ply>),
    Text(Vec<u8>),
}

impl ComparisonKey {
    fn of(archive: &Archive, number: u64, by_players: bool) -> ComparisonKey {
        let game = archive.game(number).unwrap();
        let plies = game.plies();
        let text = archive.text(number).unwrap().trim_ascii_end().to_vec();
        if plies.is_empty() || plies.len() < game.main_line().count() {
            return ComparisonKey::Text(text);
        }
        let player = |side: &str| {
            let name = game.tag(side.as_bytes()).unwrap_or_default();
            let name = String::from_utf8(name.to_vec()).unwrap().to_lowercase();
            name.replace([',', '.', ' ', '?'], "")
        };
        let players = match by_players {
            true => [player("White"), player("Black")],
            false => Default::default(),
        };
        if by_players && players.contains(&String::new()) {
            let text = String::from_utf8(text).unwrap();
            let tags = text.lines().filter(|line| line.starts_with('['));
            return ComparisonKey::Tags(tags.collect(), plies);
        }
        let variant = game.tag(b"Variant").unwrap_or_default().to_vec();
        ComparisonKey::Moves(variant, players, plies)
    }

    fn plies(&self) -> usize {
        match self {
            ComparisonKey::Moves(_, _, plies) | ComparisonKey::Tags(_, plies) => plies.len(),
            ComparisonKey::Text(_) => 0,
        }
    }

    fn is_prefix_of(&self, other: &ComparisonKey) -> bool {
        match (self, other) {
            (ComparisonKey::Moves(a, b, plies), ComparisonKey::Moves(c, d, others)) => {
                a == c && b == d && others.len() > plies.len() && others.starts_with(plies)
            }
            _ => false,
        }
    }
}

/// How complete a game is: annotations, tags, bytes.
fn fullness(text: &[u8]) -> (usize, usize, usize) {
    let text = std::str::from_utf8(text).unwrap().trim_end();
    let marks = ["{", "!", "(d3"].map(|mark| text.matches(mark).count());
    let is_known = |line: &&str| line.starts_with('[') && !line.contains("\"?\"");
    let tags = text.lines().filter(is_known).count();
    (marks.iter().sum(), tags, text.len())
}

#[test]
fn duplicates_match_a_pairwise_comparison() {
    let archive = pack(&[repeated_games()]);
    let texts = texts(&archive);
    let full = |game: u64| fullness(&texts[usize::try_from(game).unwrap() - 1]);
    let numbers = 1..=archive.games();
    for (by_players, by_beginning) in [(false, false), (true, false), (false, true), (true, true)] {
        let comparison_keys: Vec<(u64, ComparisonKey)> = numbers
            .clone()
            .map(|number| (number, ComparisonKey::of(&archive, number, by_players)))
            .collect();
        let mut expected = Vec::new();
        for (dropped, own) in &comparison_keys {
            let same = comparison_keys.iter().filter(|(_, other)| other == own);
            let best = same.max_by_key(|(game, _)| (full(*game), Reverse(*game)));
            let mut retained = best.unwrap().0;
            let longer = comparison_keys
                .iter()
                .filter(|(_, other)| by_beginning && own.is_prefix_of(other));
            let longest = longer.clone().map(|(_, other)| other.plies()).max();
            if let Some(longest) = longest {
                // The fullest game of each of the longest lines, and the first of these games.
                let longest = longer.filter(|(_, other)| other.plies() == longest);
                let fullest = longest.map(|(_, line)| {
                    let same = comparison_keys.iter().filter(|(_, other)| other == line);
                    same.max_by_key(|(game, _)| (full(*game), Reverse(*game)))
                        .unwrap()
                        .0
                });
                retained = fullest.min().unwrap();
            }
            if retained != *dropped {
                expected.push(Duplicate {
                    dropped: *dropped,
                    retained,
                });
            }
        }
        let criteria = DuplicateCriteria {
            by_players,
            by_beginning,
            ..DuplicateCriteria::of_moves()
        };
        let found = archive.duplicates(criteria, |_| ()).unwrap();
        assert!(expected.len() > 50);
        assert_eq!(found, expected, "{criteria:?}");
    }
}

/// Whether two games may be the same by their dates (year and month) and results.
fn agree(a: &(&str, &str), b: &(&str, &str)) -> bool {
    let parts = |date: &str| date.split('.').map(str::to_owned).collect::<Vec<_>>();
    let mut dates = parts(a.0).into_iter().zip(parts(b.0));
    let same_date = dates.all(|(a, b)| a == b || a.contains('?') || b.contains('?'));
    same_date && (a.1 == b.1 || a.1 == "*" || b.1 == "*")
}

/// Of games with the same moves and players, those that are taken for one agree in date and result,
/// and no two that may be the same stay.
#[test]
fn dates_and_results_do_not_contradict_each_other() {
    let moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O \
                 9. h3 Nb8 10. d4 Nbd7";
    let dates = [
        "2001.01.??",
        "2001.02.??",
        "2001.??.??",
        "2002.01.??",
        "????.??.??",
    ];
    let results = ["1-0", "0-1", "1/2-1/2", "*"];
    let facts: Vec<(&str, &str)> = (0..60)
        .map(|number| (dates[number * 7 % 5], results[number * 11 / 5 % 4]))
        .collect();
    let names = ["Tal, Mihail", "TAL, MIHAIL", "Tál Mihail"];
    let games = facts.iter().zip(names.iter().cycle()).map(|((date, result), name)| {
        format!("[White \"{name}\"]\n[Black \"B\"]\n[Date \"{date}\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n")
    });
    let archive = pack(&[games.collect::<String>()]);
    let found = archive
        .duplicates(DuplicateCriteria::default(), |_| ())
        .unwrap();
    let facts_of = |game: &u64| &facts[usize::try_from(game - 1).unwrap()];
    let is_dropped = |game: &u64| found.iter().any(|pair| pair.dropped == *game);
    let stay: Vec<u64> = (1..=60).filter(|game| !is_dropped(game)).collect();
    // Each game that stays, with those that are dropped for it.
    let groups = stay.iter().map(|game| {
        let dropped = found.iter().filter(|pair| pair.retained == *game);
        let dropped = dropped.map(|pair| pair.dropped);
        dropped.chain([*game]).collect::<Vec<u64>>()
    });
    let groups: Vec<Vec<u64>> = groups.collect();
    let all_agree = |a: &[u64], b: &[u64]| {
        let mut pairs = a.iter().flat_map(|a| b.iter().map(move |b| (a, b)));
        pairs.all(|(a, b)| agree(facts_of(a), facts_of(b)))
    };
    for (at, group) in groups.iter().enumerate() {
        assert!(all_agree(group, group), "{group:?}");
        for other in &groups[at + 1..] {
            assert!(!all_agree(group, other), "{group:?} {other:?}");
        }
    }
    assert!(found.len() > 40 && stay.len() > 3);
}

/// A game that knows neither date nor result is the same as one of two others, not as both.
#[test]
fn games_that_contradict_each_other_are_not_dropped_for_a_third() {
    let cycle = ["Nf3 ", "Nf6 ", "Ng1 ", "Ng8 "];
    let game = |date: &str, result: &str, plies: usize, comment: &str| {
        let moves: String = (0..plies).map(|ply| cycle[ply % 4]).collect();
        format!(
            "[White \"A\"]\n[Black \"B\"]\n[Date \"{date}\"]\n[Result \"{result}\"]\n\n{moves}{comment} {result}\n\n"
        )
    };
    let dropped = |games: &[String], by_beginning| -> Vec<(u64, u64)> {
        let archive = pack(&[games.concat()]);
        let criteria = DuplicateCriteria {
            by_beginning,
            ..DuplicateCriteria::default()
        };
        let found = archive.duplicates(criteria, |_| ()).unwrap();
        found
            .iter()
            .map(|pair| (pair.dropped, pair.retained))
            .collect()
    };
    let equal = [
        game("????.??.??", "*", 24, "{the fullest}"),
        game("2010.05.01", "1-0", 24, ""),
        game("2015.03.02", "0-1", 24, ""),
    ];
    assert_eq!(dropped(&equal, false), [(2, 1)]);
    let beginnings = [
        game("2010.01.01", "*", 20, ""),
        game("????.??.??", "*", 30, ""),
        game("2015.01.01", "*", 40, ""),
    ];
    assert_eq!(dropped(&beginnings, true), [(2, 3)]);
    let two_beginnings = [
        game("2010.01.01", "*", 20, ""),
        game("2015.01.01", "*", 22, ""),
        game("????.??.??", "*", 30, ""),
    ];
    assert_eq!(dropped(&two_beginnings, true), [(2, 3)]);
}

/// A game of 20 plies with these tags, as lines.
fn game_with(tags: &str) -> String {
    let moves = ["Nf3 ", "Nf6 ", "Ng1 ", "Ng8 "].concat().repeat(5);
    format!("{tags}\n{moves}*\n\n")
}

/// The dropped games, each with the one that stays, of games with these tags.
fn dropped_of(tags: &[&str]) -> Vec<(u64, u64)> {
    let games: String = tags.iter().map(|tags| game_with(tags)).collect();
    let archive = pack(&[games]);
    let found = archive.duplicates(DuplicateCriteria::default(), |_| ());
    let pairs = found.unwrap().into_iter();
    pairs.map(|pair| (pair.dropped, pair.retained)).collect()
}

#[test]
fn tags_that_identify_a_game_do_not_contradict_each_other() {
    for (name, a, b, are_same) in [
        ("Round", "1", "1.3", true),
        ("Round", "1", "2", false),
        ("Round", "?", "2", true),
        ("Round", "-", "2", true),
        ("Board", "3", "4", false),
        ("UTCTime", "10:00:00", "10:00:00", true),
        ("UTCTime", "10:00:00", "10:05:00", false),
        ("StartTime", "10:00:00", "??:??:??", true),
        ("StartTime", "10:00:00", "11:00:00", false),
        ("Site", "London", "London ENG", true),
        ("Site", "London", "https://lichess.org/abcd1234", true),
        (
            "Site",
            "https://lichess.org/abcd1234",
            "https://lichess.org/abcd1235",
            false,
        ),
        ("Link", "https://a.org/1", "https://a.org/2", false),
        ("GameURL", "https://a.org/1", "https://a.org/2", false),
        ("GameId", "abcd1234", "abcd1235", false),
        ("Date", "2011.19.11", "2011.11.19", false),
        ("Date", "2011.19.11", "2011.19.11", true),
        ("Event", "a", "b", true),
    ] {
        let tags = |value| format!("[White \"A\"]\n[Black \"B\"]\n[{name} \"{value}\"]\n");
        let found = dropped_of(&[&tags(a), &tags(b)]);
        assert_eq!(found.len(), usize::from(are_same), "{name} {a} {b}");
    }
}

#[test]
fn games_with_an_unknown_player_need_equal_tags() {
    for player in ["?", "", "NN", "N.N.", "Unknown"] {
        let tags = |event| format!("[Event \"{event}\"]\n[White \"{player}\"]\n[Black \"B\"]\n");
        let named = "[Event \"x\"]\n[White \"A\"]\n[Black \"B\"]\n";
        let found = dropped_of(&[&tags("x"), &tags("y"), &tags("x"), named]);
        assert_eq!(found, [(3, 1)], "{player}");
    }
}

#[test]
fn the_copy_that_knows_more_stays() {
    let tags = |date: &str, round: &str| {
        format!("[White \"A\"]\n[Black \"B\"]\n[Date \"{date}\"]\n[Round \"{round}\"]\n")
    };
    for (other, own) in [
        (tags("2010.??.??", "1"), tags("2010.05.17", "1")),
        (tags("2010.05.17", "?"), tags("2010.??.??", "1")),
        (tags("????.??.??", "1"), tags("2010.??.??", "1")),
    ] {
        assert_eq!(dropped_of(&[&other, &own]), [(1, 2)]);
        assert_eq!(dropped_of(&[&own, &other]), [(2, 1)]);
    }
    let same = tags("2010.05.17", "1");
    assert_eq!(dropped_of(&[&same, &same]), [(2, 1)]);
}

/// A game that may be the same as several others is a duplicate of the first of the fullest.
#[test]
fn a_game_that_knows_less_goes_with_the_first_that_it_does_not_contradict() {
    let dated = |date: &str| format!("[White \"A\"]\n[Black \"B\"]\n[Date \"{date}\"]\n");
    let (one, two, none) = (
        dated("2010.05.01"),
        dated("2015.03.02"),
        dated("????.??.??"),
    );
    assert_eq!(dropped_of(&[&one, &two, &none]), [(3, 1)]);
    assert_eq!(dropped_of(&[&none, &two, &one]), [(1, 2)]);
    let fuller = format!("{one}[Event \"x\"]\n");
    assert_eq!(dropped_of(&[&two, &none, &fuller]), [(2, 3)]);
}

#[test]
fn short_games_need_equal_tags() {
    let game = |event: &str, plies: usize| {
        let moves = ["Nf3 ", "Nf6 ", "Ng1 ", "Ng8 "];
        let moves: String = (0..plies).map(|ply| moves[ply % 4]).collect();
        format!("[Event \"{event}\"]\n[White \"A\"]\n[Black \"B\"]\n\n{moves}*\n\n")
    };
    let text = [
        game("x", 19),
        game("y", 19),
        game("x", 19),
        game("x", 20),
        game("y", 20),
    ]
    .concat();
    let archive = pack(&[text]);
    let dropped = |criteria: DuplicateCriteria| -> Vec<u64> {
        let found = archive.duplicates(criteria, |_| ()).unwrap();
        found.iter().map(|pair| pair.dropped).collect()
    };
    assert_eq!(dropped(DuplicateCriteria::default()), [3, 5]);
    let by_beginning = DuplicateCriteria {
        by_beginning: true,
        ..DuplicateCriteria::default()
    };
    assert_eq!(dropped(by_beginning), [3, 5]);
    assert_eq!(dropped(DuplicateCriteria::of_moves()), [2, 3, 5]);
}

/// Each game is a prefix of the next. The search must not compare all pairs.
#[test]
fn chains_of_prefixes_take_linear_time() {
    let cycle = ["Nf3 ", "Nf6 ", "Ng1 ", "Ng8 "];
    let game = |plies: usize| {
        let moves: String = (0..plies).map(|ply| cycle[ply % 4]).collect();
        format!("[White \"A\"]\n[Black \"B\"]\n\n{moves}*\n\n")
    };
    let text: String = (1..=300).map(game).collect();
    let archive = pack(&[text]);
    let criteria = DuplicateCriteria {
        by_players: true,
        by_beginning: true,
        ..DuplicateCriteria::of_moves()
    };
    let found = archive.duplicates(criteria, |_| ()).unwrap();
    let expected = (1..300).map(|dropped| Duplicate {
        dropped,
        retained: 300,
    });
    assert!(found.into_iter().eq(expected));
}

/// Games that all contradict each other are compared with a limited number of them. Comparing all
/// took eight seconds for ten times as many, optimised.
#[test]
fn games_that_contradict_each_other_take_linear_time() {
    let moves = "Nf3 Nf6 Ng1 Ng8 ".repeat(5);
    let game =
        |round: usize| format!("[White \"A\"]\n[Black \"B\"]\n[Round \"{round}\"]\n\n{moves}*\n\n");
    let rounds = (1000..2500).chain([1006, 2400]);
    let archive = pack(&[rounds.map(game).collect::<String>()]);
    let found = archive
        .duplicates(DuplicateCriteria::default(), |_| ())
        .unwrap();
    let expected = Duplicate {
        dropped: 1501,
        retained: 7,
    };
    assert_eq!(found, [expected], "the last is not compared with game 1401");
}

/// A damaged block yields one error in the place of its games and costs no other games.
#[test]
fn damaged_blocks_give_errors() {
    let text = tagged_games();
    let options = PackOptions {
        block_records: 16,
        ..PackOptions::default()
    };
    let mut writer = Writer::new(Vec::new(), options).unwrap();
    writer.add_source("games.pgn", text.as_bytes()).unwrap();
    let (mut bytes, slot, _) = writer.finish_with_slot().unwrap();
    slot.write_to(&mut bytes);
    let bytes = unprotected(bytes);
    for place in [places::blocks(&bytes)[3], places::tags(&bytes)[3]] {
        let mut bytes = bytes.clone();
        bytes[place] ^= 1;
        assert_damage_costs_a_block(&Archive::new(bytes).unwrap());
    }
    // The order by a tag needs no movetext.
    let order = |place: usize| {
        let mut bytes = bytes.clone();
        bytes[place] ^= 1;
        let archive = Archive::new(bytes).unwrap();
        archive.sorted(&["Date".parse().unwrap()]).map(drop)
    };
    assert!(order(places::blocks(&bytes)[3]).is_ok());
    assert!(order(places::tags(&bytes)[3]).is_err());
}

/// Checks an archive of 400 games in which a block of 16 is damaged.
fn assert_damage_costs_a_block(archive: &Archive) {
    let parts: Vec<_> = archive.parts(|_| true).collect();
    assert_eq!(parts.iter().filter(|part| part.is_err()).count(), 1);
    assert_eq!(parts.iter().filter(|part| part.is_ok()).count(), 400 - 16);
    let folder = std::env::temp_dir();
    assert!(Spool::of(archive, &folder, |_| ()).is_err());
    assert!(
        archive
            .duplicates(DuplicateCriteria::default(), |_| ())
            .is_err()
    );
    let mut joined = JoinedReader::new(archive.parts(|_| true));
    assert!(joined.read_to_end(&mut Vec::new()).is_err());
    assert!(joined.take_error().is_some());
}
