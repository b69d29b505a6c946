//! Games played with the rules of the library: variants from their usual start, and games from
//! positions that tags define in all the ways found in the wild.

use crate::judge;
use pgna::{Game as Parsed, Ply, Position};
use shakmaty::Role;
use shakmaty::uci::UciMove;

use super::Sample;
use super::game::Game;
use super::habits;
use super::rng::Rng;

pub(crate) fn samples() -> Vec<Sample> {
    vec![
        ("variants-played.pgn", variants()),
        ("set-up-tags.pgn", set_ups()),
    ]
}

/// Names of the variants as Lichess writes them, and whether the start position differs from that
/// of chess and is therefore given in a tag.
const VARIANTS: [(&str, bool); 7] = [
    ("Crazyhouse", false),
    ("Atomic", false),
    ("Antichess", false),
    ("Horde", true),
    ("Three-check", false),
    ("King of the Hill", false),
    ("Racing Kings", true),
];

/// The number of games of each variant.
const GAMES: u32 = 3;

fn variants() -> Vec<u8> {
    let mut rng = Rng::new(14);
    let mut out = String::new();
    for (name, own_start) in VARIANTS {
        for at in 0..GAMES {
            let start = position_of(&[("Variant", name)]).expect("a variant");
            // A dropped pawn is `@e4` in some games, `P@e4` in the others.
            let pawn = ["", "P"][usize::from(at == 0)];
            let mut game = play(&start, name, 70, pawn, &mut rng);
            server_tags(&mut game, name, at);
            if own_start {
                game.tag("FEN", start.fen());
                game.tag("SetUp", "1");
            }
            out += &habits::one_line(&game);
        }
    }
    out.into()
}

fn server_tags(game: &mut Game, variant: &str, at: u32) {
    game.tag("Event", format!("Rated {variant} game"));
    game.tag("Site", "https://lichess.org/abcdefgh");
    game.tag("Date", "2022.02.02");
    game.tag("Round", "-");
    game.tag("White", format!("Player_J{at}"));
    game.tag("Black", "Player_K1");
    game.tag("Result", game.result);
    game.tag("Variant", variant);
    game.tag("TimeControl", "180+2");
    game.tag("ECO", "?");
    game.tag("Opening", "?");
    game.tag("Termination", "Normal");
}

/// The start position that tags define.
fn position_of(tags: &[(&str, &str)]) -> Option<Position> {
    let tags = tags
        .iter()
        .map(|(name, value)| (name.as_bytes().to_vec(), value.as_bytes().to_vec()));
    let game = Parsed {
        tags: tags.collect(),
        tokens: Vec::new(),
    };
    game.position(0)
}

/// Plays a game of a variant from a position, at most `longest` plies. `pawn` is the letter of a
/// dropped pawn.
fn play(start: &Position, variant: &str, longest: usize, pawn: &str, rng: &mut Rng) -> Game {
    let (mut position, mut moves) = (start.clone(), String::new());
    for _ in 0..longest {
        let Some(ply) = choose(&position, variant, rng) else {
            break;
        };
        let san = position.san(ply).expect("a legal ply");
        moves += &san.replace("P@", &format!("{pawn}@"));
        moves.push(' ');
        position.play(ply).expect("a legal ply");
    }
    let result = judge::result(&position, variant);
    let result = result.unwrap_or_else(|| judge::resigned(&position));
    let mut game = Game::unchecked(&moves, result);
    let start = judge::setup(&start.fen());
    game.first = (start.fullmoves.get(), start.turn);
    game
}

/// A ply that wins at once if there is one, else often a lively ply, else any. `None` if the game
/// is over.
fn choose(position: &Position, variant: &str, rng: &mut Rng) -> Option<Ply> {
    let legal = position.legal_plies();
    let wins = legal.iter().find(|ply| {
        let mut after = position.clone();
        after.play(**ply).expect("a legal ply");
        judge::result(&after, variant) == Some(judge::resigned(&after))
    });
    let lively: Vec<Ply> = legal
        .iter()
        .copied()
        .filter(|ply| is_lively(position, *ply))
        .collect();
    match (wins, lively.is_empty()) {
        (Some(ply), _) => Some(*ply),
        (None, false) if rng.chance(70) => Some(*rng.pick(&lively)),
        _ if legal.is_empty() => None,
        _ => Some(*rng.pick(&legal)),
    }
}

/// Whether a ply is a drop, a capture or a promotion to king.
fn is_lively(position: &Position, ply: Ply) -> bool {
    match ply.to_string().parse().expect("a ply in UCI notation") {
        UciMove::Null => false,
        UciMove::Put { .. } => true,
        UciMove::Normal { to, promotion, .. } => {
            let board = judge::setup(&position.fen()).board;
            promotion == Some(Role::King) || board.piece_at(to).is_some()
        }
    }
}

type Tags = &'static [(&'static str, &'static str)];

/// Tags that define a start position, each set with its event name.
const STARTS: [(&str, Tags); 23] = [
    (
        "Black to move, later in the game",
        &[
            ("SetUp", "1"),
            (
                "FEN",
                "r4rk1/pp3ppp/2n1b3/8/8/2N1B3/PP3PPP/R4RK1 b - - 4 24",
            ),
        ],
    ),
    (
        "Counters far beyond fifty moves",
        &[
            ("SetUp", "1"),
            ("FEN", "8/8/3k4/8/8/3K4/6R1/8 b - - 131 5949"),
        ],
    ),
    (
        "Number 0",
        &[("SetUp", "1"), ("FEN", "8/8/3k4/8/8/3K4/6R1/8 w - - 0 0")],
    ),
    (
        "En passant, to be taken",
        &[
            ("SetUp", "1"),
            (
                "FEN",
                "rnbqkbnr/pp1ppppp/8/8/2pPP3/8/PPP2PPP/RNBQKBNR b KQkq d3 0 3",
            ),
        ],
    ),
    (
        "En passant, nobody takes",
        &[
            ("SetUp", "1"),
            (
                "FEN",
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            ),
        ],
    ),
    (
        "En passant without a pawn",
        &[
            ("SetUp", "1"),
            ("FEN", "4k3/8/8/8/8/8/PPPP4/4K3 b - e3 0 1"),
        ],
    ),
    (
        "X-FEN: an inner rook",
        &[
            ("Variant", "Chess960"),
            ("SetUp", "1"),
            (
                "FEN",
                "rr2k1rr/1pppppp1/8/8/8/8/1PPPPPP1/RR2K1RR w KBkq - 0 9",
            ),
        ],
    ),
    (
        "Shredder-FEN",
        &[
            ("Variant", "Chess960"),
            ("SetUp", "1"),
            ("FEN", "1rk3r1/pp4pp/8/8/8/8/PP4PP/1RK3R1 b GBgb - 2 17"),
        ],
    ),
    (
        "Chess960 by the rights alone",
        &[
            ("SetUp", "1"),
            ("FEN", "1rk3r1/pp4pp/8/8/8/8/PP4PP/1RK3R1 w GBgb - 0 1"),
        ],
    ),
    (
        "Files where KQkq would do",
        &[
            ("SetUp", "1"),
            ("FEN", "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w HAha - 0 1"),
        ],
    ),
    (
        "Rights without a rook",
        &[
            ("SetUp", "1"),
            ("FEN", "4k3/pppppppp/8/8/8/8/PPPPPPPP/R3K3 w KQkq - 0 1"),
        ],
    ),
    ("Pieces alone", &[("FEN", "4k3/8/8/8/8/8/4P3/4K3")]),
    ("Pieces and side", &[("FEN", "4k3/4p3/8/8/8/8/4P3/4K3 b")]),
    ("No counters", &[("FEN", "r3k2r/8/8/8/8/8/8/R3K2R w KQ -")]),
    (
        "Two FEN tags, the first counts",
        &[
            ("SetUp", "1"),
            ("FEN", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
            ("FEN", "4k3/8/8/8/8/8/4P3/4K2Q w - - 0 1"),
        ],
    ),
    (
        "FEN without SetUp",
        &[("FEN", "4k3/8/8/8/8/8/4P3/4K3 w - - 3 8")],
    ),
    (
        "FEN with SetUp 0",
        &[("SetUp", "0"), ("FEN", "4k3/8/8/8/8/8/4P3/4K3 w - - 3 8")],
    ),
    ("SetUp without FEN", &[("SetUp", "1")]),
    (
        "From Position",
        &[
            ("Variant", "From Position"),
            ("FEN", "2r3k1/5ppp/8/8/8/8/5PPP/2R3K1 b - - 0 1"),
            ("SetUp", "1"),
        ],
    ),
    (
        "Antichess, pawns become kings",
        &[
            ("Variant", "Antichess"),
            ("FEN", "8/PPP5/8/8/8/8/5ppp/8 w - - 0 1"),
            ("SetUp", "1"),
        ],
    ),
    (
        "Crazyhouse with full hands",
        &[
            ("Variant", "Crazyhouse"),
            (
                "FEN",
                "r1bqk2r/ppp2ppp/8/8/8/8/PPP2PPP/R1BQ~K2R[NNPnbp] b KQkq - 0 12",
            ),
            ("SetUp", "1"),
        ],
    ),
    (
        "Checks that are left",
        &[
            ("Variant", "Three-check"),
            (
                "FEN",
                "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1+2 0 2",
            ),
            ("SetUp", "1"),
        ],
    ),
    (
        "Checks that were given",
        &[
            ("Variant", "Three-check"),
            (
                "FEN",
                "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2 +2+1",
            ),
            ("SetUp", "1"),
        ],
    ),
];

/// FENs that define no position.
const NO_STARTS: [(&str, &str); 5] = [
    ("Nine files", "ppppppppp/8/8/8/8/8/8/K6k w - - 0 1"),
    ("Seven ranks", "8/8/8/8/8/8/K6k w - - 0 1"),
    ("No king", "8/8/8/8/8/8/8/Q7 w - - 0 1"),
    (
        "The side not to move is in check",
        "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
    ),
    ("No side", "4k3/8/8/8/8/8/8/4K3 x - - 0 1"),
];

fn set_ups() -> Vec<u8> {
    let mut rng = Rng::new(15);
    let mut out = String::new();
    for (event, tags) in STARTS {
        let start = position_of(tags).unwrap_or_else(|| panic!("{event}"));
        let variant = tags.iter().find(|(name, _)| *name == "Variant");
        let variant = variant.map_or("", |(_, value)| value);
        let game = play(&start, variant, 12, "P", &mut rng);
        out += &set_up(event, tags, game);
    }
    for (event, fen) in NO_STARTS {
        let game = Game::unchecked("Kb2 Kg7", "*");
        out += &set_up(event, &[("SetUp", "1"), ("FEN", fen)], game);
    }
    out.into()
}

fn set_up(event: &str, tags: &[(&str, &str)], mut game: Game) -> String {
    game.tag("Event", event);
    game.tag("Result", game.result);
    for (name, value) in tags {
        game.tag(name, *value);
    }
    habits::lf_80_greedy(&game)
}
