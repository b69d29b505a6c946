//! Games: those of `classics.txt`, and generated ones.

use shakmaty::fen::Fen;
use shakmaty::san::{San, SanPlus};
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Position};

use super::player::{balance, choose};
use super::rng::Rng;

/// A game, as input of the styles in `habits`.
pub(crate) struct Game {
    pub(crate) tags: Vec<(String, String)>,
    pub(crate) plies: Vec<Ply>,
    pub(crate) result: &'static str,
    /// The move number and the side of the first ply.
    pub(crate) first: (u32, Color),
}

/// One ply: its SAN, the state after it, the time spent.
pub(crate) struct Ply {
    pub(crate) san: String,
    pub(crate) eval: Eval,
    pub(crate) seconds: u32,
}

/// The state of the game after a ply.
#[derive(Clone, Copy)]
pub(crate) enum Eval {
    /// White's advantage in hundredths of a pawn.
    Centipawns(i32),
    /// The winner mates with the next move.
    MateNext(Color),
    /// The ply was mate.
    Mate,
}

impl Game {
    pub(crate) fn tag(&mut self, name: &str, value: impl Into<String>) {
        self.tags.push((name.to_owned(), value.into()));
    }

    /// A game of a variant, whose moves are not checked.
    pub(crate) fn unchecked(moves: &str, result: &str) -> Game {
        let eval = Eval::Centipawns(0);
        let ply = |san: &str| Ply {
            san: san.to_owned(),
            eval,
            seconds: 0,
        };
        let result = RESULTS
            .into_iter()
            .find(|r| *r == result)
            .expect("a result");
        let plies = moves.split_whitespace().map(ply).collect();
        Game {
            tags: Vec::new(),
            plies,
            result,
            first: (1, Color::White),
        }
    }

    /// Each ply with its move number and side.
    pub(crate) fn numbered(&self) -> impl Iterator<Item = (u32, Color, &Ply)> {
        let (number, side) = self.first;
        let start = 2 * number + side.fold_wb(0, 1);
        let named = (start..).map(|n| {
            (
                n / 2,
                if n % 2 == 0 {
                    Color::White
                } else {
                    Color::Black
                },
            )
        });
        named
            .zip(&self.plies)
            .map(|((number, side), ply)| (number, side, ply))
    }
}

const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// The games of `classics.txt`, each move checked.
pub(crate) fn classics() -> Vec<Game> {
    let text = include_str!("classics.txt");
    text.split("\n\n").skip(1).map(classic).collect()
}

fn classic(block: &str) -> Game {
    let (head, moves) = block.trim().split_once('\n').expect("a head and moves");
    let values: Vec<&str> = head.split(" | ").collect();
    let names = [
        "Event", "Site", "Date", "Round", "White", "Black", "Result", "ECO",
    ];
    let tags = names
        .iter()
        .zip(&values)
        .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()));
    let result = RESULTS
        .into_iter()
        .find(|r| *r == values[6])
        .expect("a result");
    let (mut pos, mut rng) = (Chess::new(), Rng::new(0));
    let plies = moves
        .split_whitespace()
        .map(|san| checked(&mut pos, san, &mut rng))
        .collect();
    Game {
        tags: tags.collect(),
        plies,
        result,
        first: (1, Color::White),
    }
}

/// Plays a typed move and asserts that its text is standard SAN.
fn checked(pos: &mut Chess, san: &str, rng: &mut Rng) -> Ply {
    let parsed: SanPlus = san.parse().expect("a SAN move");
    let m = San::to_move(parsed.san, pos).unwrap_or_else(|e| panic!("{san}: {e}"));
    let ply = play(pos, m, rng);
    assert_eq!(ply.san, san, "not the SAN of this move");
    ply
}

fn play(pos: &mut Chess, m: shakmaty::Move, rng: &mut Rng) -> Ply {
    let san = SanPlus::from_move_and_play_unchecked(pos, m).to_string();
    let seconds = if rng.chance(60) {
        rng.below(4)
    } else {
        rng.below(15)
    };
    let noise = rng.between(0, 80).cast_signed() - 30;
    Ply {
        san,
        eval: Eval::Centipawns(balance(pos) + noise),
        seconds,
    }
}

/// Openings that the generated games start with: ECO, name, moves.
const OPENINGS: [(&str, &str, &str); 16] = [
    ("C70", "Ruy Lopez: Morphy Defense", "e4 e5 Nf3 Nc6 Bb5 a6"),
    (
        "C50",
        "Italian Game: Giuoco Pianissimo",
        "e4 e5 Nf3 Nc6 Bc4 Bc5 d3",
    ),
    ("C44", "Scotch Game", "e4 e5 Nf3 Nc6 d4"),
    (
        "B90",
        "Sicilian Defense: Najdorf Variation",
        "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6",
    ),
    ("B22", "Sicilian Defense: Alapin Variation", "e4 c5 c3"),
    ("C00", "French Defense", "e4 e6 d4 d5"),
    (
        "B12",
        "Caro-Kann Defense: Advance Variation",
        "e4 c6 d4 d5 e5",
    ),
    ("B01", "Scandinavian Defense", "e4 d5 exd5 Qxd5 Nc3"),
    ("D30", "Queen's Gambit Declined", "d4 d5 c4 e6"),
    ("D10", "Slav Defense", "d4 d5 c4 c6"),
    (
        "D02",
        "Queen's Pawn Game: London System",
        "d4 d5 Nf3 Nf6 Bf4",
    ),
    ("E60", "King's Indian Defense", "d4 Nf6 c4 g6"),
    ("E20", "Nimzo-Indian Defense", "d4 Nf6 c4 e6 Nc3 Bb4"),
    ("A10", "English Opening", "c4"),
    ("A04", "Zukertort Opening", "Nf3"),
    ("A40", "Queen's Pawn Game", "d4"),
];

/// A generated game from the usual start, with its ECO code and opening.
pub(crate) struct Played {
    pub(crate) game: Game,
    pub(crate) eco: &'static str,
    pub(crate) opening: &'static str,
}

/// Plays a game from the usual start.
pub(crate) fn generate(rng: &mut Rng) -> Played {
    let (eco, opening, line) = *rng.pick(&OPENINGS);
    let mut pos = Chess::new();
    let plies = line
        .split_whitespace()
        .map(|san| checked(&mut pos, san, rng))
        .collect();
    Played {
        game: finish(pos, plies, (1, Color::White), rng),
        eco,
        opening,
    }
}

/// Plays a game from a given position, with `SetUp` and `FEN` tags.
pub(crate) fn generate_from(fen: &str, mode: CastlingMode, rng: &mut Rng) -> Game {
    let setup: Fen = fen.parse().expect("a FEN");
    let pos: Chess = setup.into_position(mode).expect("a legal position");
    let first = (pos.fullmoves().get(), pos.turn());
    finish(pos, Vec::new(), first, rng)
}

/// The FEN after the last ply, for tags that contain it.
pub(crate) fn last_fen(game: &Game) -> String {
    let mut pos = Chess::new();
    for ply in &game.plies {
        checked(&mut pos, &ply.san, &mut Rng::new(0));
    }
    Fen::from_position(&pos, EnPassantMode::Legal).to_string()
}

fn finish(mut pos: Chess, mut plies: Vec<Ply>, first: (u32, Color), rng: &mut Rng) -> Game {
    let longest = usize::try_from(rng.between(30, 140)).expect("small");
    while plies.len() < longest && !over(&pos) {
        let m = choose(&pos, rng).expect("a legal move");
        plies.push(play(&mut pos, m, rng));
    }
    if let Some(winner) = pos.outcome().winner() {
        announce(&mut plies, winner);
    }
    Game {
        tags: Vec::new(),
        plies,
        result: result(&pos),
        first,
    }
}

fn over(pos: &Chess) -> bool {
    let resigns = balance(pos).abs() > 1_100 && pos.fullmoves().get().is_multiple_of(3);
    pos.is_game_over() || pos.halfmoves() >= 100 || resigns && !pos.is_check()
}

fn announce(plies: &mut [Ply], winner: Color) {
    let evals = [Eval::Mate, Eval::MateNext(winner), Eval::MateNext(winner)];
    for (ply, eval) in plies.iter_mut().rev().zip(evals) {
        ply.eval = eval;
    }
}

fn result(pos: &Chess) -> &'static str {
    match pos.outcome().winner() {
        Some(winner) => winner.fold_wb("1-0", "0-1"),
        None if balance(pos) > 450 => "1-0",
        None if balance(pos) < -450 => "0-1",
        None => "1/2-1/2",
    }
}
