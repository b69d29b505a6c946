//! Files of many games, one for each style.

use shakmaty::CastlingMode;

use super::Sample;
use super::game::{Game, Played, classics, generate, generate_from, last_fen};
use super::habits::{self, Comments};
use super::rng::Rng;

pub(crate) fn samples() -> Vec<Sample> {
    vec![
        (
            "crlf-72-before-white.pgn",
            masters(120, habits::crlf_72_before_white),
        ),
        ("lf-80-greedy.pgn", tournament(70)),
        ("one-line.pgn", site(60, 2, habits::one_line)),
        ("lichess-clk-eval.pgn", lichess()),
        ("wrapped-inside-comments.pgn", over_the_board(20)),
        ("clk-tenths.pgn", other_site(20)),
        ("engine-match.pgn", engines(20)),
        ("chess960.pgn", chess960(15)),
        ("setup-fen.pgn", set_up()),
        ("old-spelling.pgn", masters(20, habits::old_spelling)),
        ("two-blank-lines.pgn", site(15, 9, habits::two_blank_lines)),
        (
            "no-tags.pgn",
            classics()
                .iter()
                .take(5)
                .map(habits::no_tags)
                .collect::<String>()
                .into(),
        ),
        ("variants.pgn", variants()),
    ]
}

/// A player from a pool: name and rating. Low numbers are drawn more often.
fn player(rng: &mut Rng, pool: char) -> (String, u32) {
    let number = rng.between(1, 6) * rng.between(1, 6);
    (
        format!("Player {pool}{number}"),
        2_700 - 20 * number + rng.below(15),
    )
}

/// Two players of a pool, never the same.
fn pair(rng: &mut Rng, pool: char) -> [(String, u32); 2] {
    let white = player(rng, pool);
    loop {
        let black = player(rng, pool);
        if black.0 != white.0 {
            return [white, black];
        }
    }
}

fn date(rng: &mut Rng, year: u32) -> String {
    format!("{year}.{:02}.{:02}", rng.between(1, 12), rng.between(1, 28))
}

fn time(rng: &mut Rng) -> String {
    format!(
        "{:02}:{:02}:{:02}",
        rng.below(24),
        rng.below(60),
        rng.below(60)
    )
}

/// Eight characters in base 62.
fn game_id(rng: &mut Rng) -> String {
    let digits = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    (0..8).map(|_| char::from(*rng.pick(digits))).collect()
}

fn seven_tags(game: &mut Game, event: &str, site: &str, date: &str, round: &str, names: [&str; 2]) {
    game.tag("Event", event);
    game.tag("Site", site);
    game.tag("Date", date);
    game.tag("Round", round);
    game.tag("White", names[0]);
    game.tag("Black", names[1]);
    game.tag("Result", game.result);
}

/// The classics and games of one pool of masters, ratings often unknown.
fn masters(count: u32, habit: fn(&Game) -> String) -> Vec<u8> {
    let mut rng = Rng::new(u64::from(count));
    let mut out: String = classics().iter().map(habit).collect();
    for at in 0..count {
        let Played { mut game, eco, .. } = generate(&mut rng);
        let [white, black] = pair(&mut rng, 'A');
        let year = 1950 + at / 3;
        let date = if rng.chance(60) {
            format!("{year}.??.??")
        } else {
            date(&mut rng, year)
        };
        let round = if rng.chance(50) {
            "?".to_owned()
        } else {
            rng.between(1, 15).to_string()
        };
        let event = format!(
            "Town {} {}",
            rng.between(1, 9),
            *rng.pick(&["Open", "tourn", "Masters"])
        );
        seven_tags(&mut game, &event, "?", &date, &round, [&white.0, &black.0]);
        let known = year > 1970;
        game.tag(
            "WhiteElo",
            if known {
                white.1.to_string()
            } else {
                String::new()
            },
        );
        game.tag(
            "BlackElo",
            if known {
                black.1.to_string()
            } else {
                String::new()
            },
        );
        game.tag("ECO", eco);
        out += &habit(&game);
    }
    out.into()
}

/// Rounds of one tournament, with titles and numbers of a federation.
fn tournament(count: u32) -> Vec<u8> {
    let mut rng = Rng::new(80);
    let mut out: String = classics().iter().map(habits::lf_80_greedy).collect();
    for at in 0..count {
        let Played {
            mut game,
            eco,
            opening,
        } = generate(&mut rng);
        let [white, black] = pair(&mut rng, 'B');
        let round = format!("{}.{}", at / 10 + 1, at % 10 + 1);
        let date = format!("2012.12.{:02}", at / 10 + 1);
        let names = [white.0.as_str(), black.0.as_str()];
        seven_tags(
            &mut game,
            "4th Sample Classic",
            "Sampletown",
            &date,
            &round,
            names,
        );
        for (side, (_, elo)) in [("White", &white), ("Black", &black)] {
            if *elo > 2_400 {
                game.tag(
                    &format!("{side}Title"),
                    if *elo > 2_500 { "GM" } else { "IM" },
                );
            }
        }
        game.tag("WhiteElo", white.1.to_string());
        game.tag("BlackElo", black.1.to_string());
        game.tag("ECO", eco);
        game.tag("Opening", opening);
        game.tag("WhiteFideId", fide_id(&white.0));
        game.tag("BlackFideId", fide_id(&black.0));
        game.tag("EventDate", "2012.12.01");
        out += &habits::lf_80_greedy(&game);
    }
    out.into()
}

/// A number that belongs to the name.
fn fide_id(name: &str) -> String {
    let sum = name
        .bytes()
        .fold(17_u32, |n, byte| n.wrapping_mul(31) + u32::from(byte));
    (10_000_000 + sum % 5_000_000).to_string()
}

/// The tags of a game on a server.
fn server_tags(played: &mut Played, control: &str, rng: &mut Rng, old: bool) {
    let [white, black] = pair(rng, 'C');
    let date = date(rng, 2021);
    let game = &mut played.game;
    game.tag(
        "Event",
        format!("Rated {} game", rng.pick(&["Blitz", "Bullet", "Classical"])),
    );
    game.tag("Site", format!("https://lichess.org/{}", game_id(rng)));
    if !old {
        game.tag("Date", date.clone());
        game.tag("Round", "-");
    }
    game.tag("White", white.0.replace(' ', "_"));
    game.tag("Black", black.0.replace(' ', "_"));
    game.tag("Result", game.result);
    game.tag("UTCDate", date);
    game.tag("UTCTime", time(rng));
    game.tag("WhiteElo", white.1.to_string());
    game.tag("BlackElo", black.1.to_string());
    let change = rng.between(1, 11);
    let (up, down) = (format!("+{change}"), format!("-{}", change + 1));
    let changes = if game.result == "1-0" {
        [up, down]
    } else {
        [down, up]
    };
    game.tag("WhiteRatingDiff", changes[0].clone());
    game.tag("BlackRatingDiff", changes[1].clone());
    game.tag("ECO", played.eco);
    game.tag("Opening", played.opening);
    game.tag("TimeControl", control);
    let termination = if rng.chance(30) {
        "Time forfeit"
    } else {
        "Normal"
    };
    game.tag("Termination", termination);
}

fn site(count: u32, seed: u64, habit: fn(&Game) -> String) -> Vec<u8> {
    let mut rng = Rng::new(seed);
    let mut out = String::new();
    for _ in 0..count {
        let mut played = generate(&mut rng);
        server_tags(&mut played, "300+3", &mut rng, true);
        out += &habit(&played.game);
    }
    out.into()
}

/// Clocks in all games, evaluations in some.
fn lichess() -> Vec<u8> {
    let mut rng = Rng::new(3);
    let mut out = String::new();
    for at in 0..50 {
        let mut played = generate(&mut rng);
        let (base, increment) = *rng.pick(&[(60, 0), (180, 0), (180, 2), (300, 3), (600, 0)]);
        server_tags(&mut played, &format!("{base}+{increment}"), &mut rng, false);
        let comments = Comments {
            evals: at % 3 == 0,
            base,
            increment,
        };
        out += &habits::lichess(&played.game, comments);
    }
    out.into()
}

fn over_the_board(count: u32) -> Vec<u8> {
    let mut rng = Rng::new(4);
    let mut out = String::new();
    for at in 0..count {
        let Played { mut game, .. } = generate(&mut rng);
        let [white, black] = pair(&mut rng, 'D');
        let names = [white.0.as_str(), black.0.as_str()];
        seven_tags(
            &mut game,
            "Club Cup 2018",
            "Sampletown",
            "2018.10.12",
            "1",
            names,
        );
        game.tag("Board", (at % 6 + 1).to_string());
        game.tag("ECO", "");
        game.tag("WhiteElo", white.1.to_string());
        game.tag("BlackElo", black.1.to_string());
        game.tag("PlyCount", game.plies.len().to_string());
        game.tag("EventType", "team");
        game.tag("WhiteTeam", format!("Team {}", at / 6 + 1));
        game.tag("BlackTeam", format!("Team {}", at / 6 + 5));
        out += &habits::wrapped_inside_comments(&game);
    }
    out.into()
}

/// A server that writes the last position and tenths of seconds.
fn other_site(count: u32) -> Vec<u8> {
    let mut rng = Rng::new(5);
    let mut out = String::new();
    for _ in 0..count {
        let Played {
            mut game,
            eco,
            opening,
        } = generate(&mut rng);
        let [white, black] = pair(&mut rng, 'E');
        let (date, time) = (date(&mut rng, 2009), time(&mut rng));
        let names = [white.0.as_str(), black.0.as_str()];
        seven_tags(&mut game, "Live Chess", "Sample Site", &date, "-", names);
        game.tag("ECO", eco);
        let slug = opening
            .replace(": ", "-")
            .replace(' ', "-")
            .replace('\'', "");
        game.tag(
            "ECOUrl",
            format!("https://example.org/openings/{eco}-{slug}"),
        );
        game.tag("CurrentPosition", last_fen(&game));
        game.tag("UTCDate", date.clone());
        game.tag("UTCTime", time.clone());
        game.tag("TimeControl", "600");
        let winner = if game.result == "0-1" {
            &black.0
        } else {
            &white.0
        };
        let how = if game.result == "1/2-1/2" {
            "Game drawn".to_owned()
        } else {
            format!("{winner} won")
        };
        game.tag("Termination", how);
        game.tag("StartTime", time);
        game.tag("EndDate", date);
        out += &habits::clk_tenths(&game);
    }
    out.into()
}

fn engines(count: u32) -> Vec<u8> {
    let mut rng = Rng::new(6);
    let mut out = String::new();
    for at in 0..count {
        let Played { mut game, eco, .. } = generate(&mut rng);
        let engines = ["Engine X 1.2", "Engine Y 20240101 64-bit"];
        let names = if at % 2 == 0 {
            engines
        } else {
            [engines[1], engines[0]]
        };
        let date = date(&mut rng, 2024);
        seven_tags(
            &mut game,
            "Sample match",
            "?",
            &date,
            &(at + 1).to_string(),
            names,
        );
        game.tag("ECO", eco);
        game.tag("PlyCount", game.plies.len().to_string());
        game.tag("TimeControl", "10+0.1");
        out += &habits::engine_match(&game);
    }
    out.into()
}

/// The back rank of the Chess960 start position with this number.
fn back_rank(number: u32) -> String {
    let mut rank = [' '; 8];
    let free = |rank: &[char; 8], nth: u32| -> usize {
        let mut squares = (0..8).filter(|file| rank[*file] == ' ');
        squares.nth(usize::try_from(nth).unwrap()).unwrap()
    };
    let index = |n: u32| usize::try_from(n).unwrap();
    rank[index(2 * (number % 4) + 1)] = 'B';
    rank[index(2 * (number / 4 % 4))] = 'B';
    rank[free(&rank, number / 16 % 6)] = 'Q';
    let knights = [
        (0, 1),
        (0, 2),
        (0, 3),
        (0, 4),
        (1, 2),
        (1, 3),
        (1, 4),
        (2, 3),
        (2, 4),
        (3, 4),
    ];
    let (left, right) = knights[index(number / 96)];
    let squares = [free(&rank, left), free(&rank, right)];
    rank[squares[0]] = 'N';
    rank[squares[1]] = 'N';
    for piece in ['R', 'K', 'R'] {
        rank[free(&rank, 0)] = piece;
    }
    rank.into_iter().collect()
}

/// Castling rights by side (`KQkq`) and by file (`HAha`), in turn.
fn chess960_fen(number: u32, by_file: bool) -> String {
    let rank = back_rank(number);
    let files = rank.char_indices().rev().filter(|(_, piece)| *piece == 'R');
    let files: String = files
        .map(|(file, _)| char::from(b"ABCDEFGH"[file]))
        .collect();
    let white = if by_file { files } else { "KQ".to_owned() };
    let rights = format!("{white}{}", white.to_lowercase());
    format!(
        "{}/pppppppp/8/8/8/8/PPPPPPPP/{rank} w {rights} - 0 1",
        rank.to_lowercase()
    )
}

fn chess960(count: u32) -> Vec<u8> {
    let mut rng = Rng::new(960);
    assert_eq!(back_rank(518), "RNBQKBNR");
    let mut out = String::new();
    for at in 0..count {
        let fen = chess960_fen(rng.below(960), at % 2 == 1);
        let mut game = generate_from(&fen, CastlingMode::Chess960, &mut rng);
        let [white, black] = pair(&mut rng, 'F');
        let names = [white.0.as_str(), black.0.as_str()];
        seven_tags(
            &mut game,
            "Chess960 sample",
            "?",
            "2020.05.05",
            &(at + 1).to_string(),
            names,
        );
        game.tag(
            "Variant",
            if at % 3 == 0 {
                "Fischerandom"
            } else {
                "Chess960"
            },
        );
        game.tag("SetUp", "1");
        game.tag("FEN", fen);
        out += &habits::lf_80_greedy(&game);
    }
    out.into()
}

/// Studies, test positions and positions after a few moves; some with Black
/// to move, with an en-passant square, with counters.
const POSITIONS: [&str; 12] = [
    "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "7K/8/k1P5/7p/8/8/8/8 w - - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/P7/8/8/8/8/7p/K1k5 w - - 0 60",
    "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "5k2/8/8/8/3K4/8/8/7R b - - 12 71",
    "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 b - - 0 1",
    "QQQQQQQQ/8/8/8/8/8/8/k1K5 b - - 0 1",
];

fn set_up() -> Vec<u8> {
    let mut rng = Rng::new(12);
    let mut out = String::new();
    for fen in POSITIONS {
        let mut game = generate_from(fen, CastlingMode::Standard, &mut rng);
        seven_tags(
            &mut game,
            "Position",
            "?",
            "????.??.??",
            "-",
            ["White", "Black"],
        );
        game.tag("SetUp", "1");
        game.tag("FEN", fen);
        out += &habits::lf_80_greedy(&game);
    }
    out.into()
}

/// Games of variants, stored as lists of moves in `variants.txt`.
fn variants() -> Vec<u8> {
    let mut rng = Rng::new(13);
    let blocks = include_str!("variants.txt").split("\n\n").skip(1);
    let habit = |block: &str| habits::one_line(&variant(block, &mut rng));
    blocks.map(habit).collect::<String>().into()
}

fn variant(block: &str, rng: &mut Rng) -> Game {
    let (head, moves) = block.trim().split_once('\n').expect("a head and moves");
    let fields: Vec<&str> = head.split(" | ").collect();
    let mut game = Game::unchecked(moves, fields[1]);
    game.tag("Event", format!("Casual {} game", fields[0]));
    game.tag("Site", format!("https://lichess.org/{}", game_id(rng)));
    game.tag("White", "Player_G1");
    game.tag("Black", "Player_G2");
    game.tag("Result", game.result);
    game.tag("Variant", fields[0]);
    if let Some(fen) = fields.get(2) {
        game.tag("FEN", *fen);
        game.tag("SetUp", "1");
    }
    game
}
