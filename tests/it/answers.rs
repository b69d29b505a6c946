//! The answers of an archive, as programs without the server get them.

use crate::packed::pack;
use pgna::{ApiAnswer, Archive, ArchiveAnswers, Limits, PagedSource, ReadAt};
use serde_json::Value;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

const GAME: &str = "[Site \"Rome\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n";

/// Games in blocks of ten.
fn archive_bytes() -> Vec<u8> {
    // One game from another start position, which no index lists.
    let set_up = "[White \"Ann\"]\n[FEN \"8/8/8/8/8/4k3/4p3/4K3 w - - 0 1\"]\n\n*\n\n";
    let text = GAME.repeat(100) + set_up;
    pack(&[("games.pgn".to_owned(), text.into_bytes())], 10)
}

fn answers() -> ArchiveAnswers {
    ArchiveAnswers::new("games", Archive::new(archive_bytes()).unwrap())
}

fn json(answer: &ApiAnswer) -> Value {
    assert_eq!(answer.media_type, "application/json");
    serde_json::from_slice(&answer.body).unwrap()
}

#[test]
fn routes_are_those_below_an_archive() {
    let answers = answers();
    let ask = |address: &str| {
        let answer = answers.answer(address);
        assert_eq!(answer.status, 200, "{address}: {answer:?}");
        answer
    };
    assert_eq!(json(&ask(""))["name"], "games");
    assert_eq!(json(&ask("/games?limit=2&sort=-plies"))["total"], 101);
    assert_eq!(json(&ask("games?where=White+%3D+Ann"))["total"], 101);
    assert_eq!(json(&ask("/games/%31"))["number"], 1);
    assert_eq!(ask("/games/7/pgn").body, GAME.as_bytes());
    assert_eq!(ask("/games/7/pgn").media_type, "application/vnd.chess-pgn");
    assert_eq!(
        json(&ask("/tags/White?prefix=a"))["values"][0]["games"],
        101
    );
    assert_eq!(json(&ask("/explorer?play=e2e4"))["white"], 100);
}

#[test]
fn what_cannot_be_answered_says_why() {
    let answers = answers();
    for (address, status, why) in [
        ("/nonsense", 404, "no such route"),
        ("/games/1/2/3", 404, "no such route"),
        ("/games/102", 404, "1 to 101"),
        ("/games/1?x=1", 400, "no parameters"),
        ("/games?limit=x", 400, "limit"),
        ("/games/%FF", 400, "path"),
        ("/player", 400, "name"),
    ] {
        let answer = answers.answer(address);
        let error = json(&answer)["error"].as_str().unwrap().to_owned();
        assert_eq!(answer.status, status, "{address}: {error}");
        assert!(error.contains(why), "{address}: {error}");
    }
}

/// An archive whose source can fail for a time.
struct Flaky {
    bytes: Vec<u8>,
    fails: Arc<AtomicBool>,
}

impl ReadAt for Flaky {
    fn size(&self) -> io::Result<u64> {
        Ok(self.bytes.len() as u64)
    }

    fn read_at(&self, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        match self.fails.load(Relaxed) {
            true => Err(io::Error::other("no connection")),
            false => Ok(self.bytes[offset as usize..][..len].to_vec()),
        }
    }
}

/// What lacks games because they could not be read is not remembered.
#[test]
fn answers_are_whole_after_failures_that_pass() {
    // Also with the explorer in memory, which asks for the games of a filter.
    for (address, warm) in [
        ("/games?where=White=Ann", false),
        ("/games?where=White=Ann&sort=-White,plies", false),
        ("/games?after=e4", false),
        ("/stats", false),
        ("/players?prefix=a", false),
        ("/player?name=Ann", false),
        ("/player?name=Ann", true),
        ("/tags/White", false),
        ("/explorer", false),
        ("/explorer?where=White=Ann", false),
        ("/explorer?where=Site=Rome", true),
        ("/games/55", false),
    ] {
        let fails = Arc::new(AtomicBool::new(false));
        let flaky = Flaky {
            bytes: archive_bytes(),
            fails: Arc::clone(&fails),
        };
        let archive = Archive::open(flaky, Limits::default()).unwrap();
        // The tables are read, the blocks are not.
        archive.stored_game(1).unwrap();
        let answers_of_flaky = ArchiveAnswers::new("games", archive);
        if warm {
            assert_eq!(answers_of_flaky.answer("/explorer").status, 200);
        }
        fails.store(true, Relaxed);
        let failed = answers_of_flaky.answer(address);
        fails.store(false, Relaxed);
        let expected = answers().answer(address);
        assert_ne!(failed, expected, "{address}");
        assert_eq!(answers_of_flaky.answer(address), expected, "{address}");
    }
}

#[test]
fn paged_sources_read_the_same() {
    // Names that do not compress, so that the archive has many pages.
    let mut state = 1_u64;
    let mut name = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        format!("{:016x}", state ^ state >> 31)
    };
    let game = |_| format!("[White \"{}{}{}\"]\n\n1. e4 *\n\n", name(), name(), name());
    let text: String = (0..2_000).map(game).collect();
    let bytes = pack(&[("games.pgn".to_owned(), text.clone().into_bytes())], 10);
    assert!(bytes.len() > 40_000);
    let paged = PagedSource::new(Flaky {
        bytes,
        fails: Arc::default(),
    });
    let archive = Archive::open(paged, Limits::default()).unwrap();
    let games: Vec<Vec<u8>> = archive.texts().map(Result::unwrap).collect();
    assert_eq!(games.concat(), text.as_bytes());
    assert_eq!(archive.text(1_500).unwrap(), games[1_499]);
}
