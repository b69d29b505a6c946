//! Generator of the passing vectors of `huffman` and `huffman-index`.

use pgna::Codec;
use pgna::internals::chess::{ChessPosition, PlyKind, Rules};

use super::faults;
use super::vector::{Vector, position};

/// The standard start position.
pub(crate) const STANDARD: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// The start of the worked example with a promotion table.
pub(crate) const TWO_QUEENS: &str = "7k/1P6/8/8/8/8/Q1Q5/2K5 w - - 0 40";
/// The worked example from the standard start position.
pub(crate) const SHORT: &str = "e2e4 e7e5 g1f3 f7f6 f3e5 f6e5";
/// En passant, moves of a promoted piece, castling to both sides.
pub(crate) const RULES: &str = "e2e4 d7d5 e4e5 f7f5 e5f6 b8c6 f6g7 c8e6 g7h8q d8d7 g1f3 e8c8 f1e2 g8f6 \
                     e1g1 a7a6 h8f8";

/// The two forms of a codec.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Forms {
    pub written: Codec,
    pub elided: Codec,
}

/// Both codecs of the family, which have the same vectors.
const FAMILY: [Forms; 2] = [
    Forms {
        written: Codec::Huffman,
        elided: Codec::HuffmanElided,
    },
    Forms {
        written: Codec::HuffmanIndex,
        elided: Codec::HuffmanIndexElided,
    },
];

/// All vectors.
pub(crate) fn all() -> Vec<Vector> {
    let mut all = Vec::new();
    for forms in FAMILY {
        all.extend(elided_lines(forms));
        all.extend(written_lines(forms));
        all.extend(variant_lines(forms));
        all.extend(faults::all(forms));
    }
    all.extend(faults::of_numbers());
    all
}

fn elided_lines(forms: Forms) -> Vec<Vector> {
    let vector = |name: &str, description: &str, plies: &str| {
        let name = format!("elided-{name}");
        Vector::passing(&name, description, forms.elided, STANDARD, plies)
    };
    vec![
        vector("empty", "No plies, no bits", ""),
        vector(
            "one-ply",
            "One ply: trees of one leaf, codes of no bits",
            "e2e4",
        ),
        vector("short", "The worked example", SHORT),
        vector(
            "rules",
            "En passant, promotion, castling to both sides",
            RULES,
        ),
        vector(
            "null",
            "Null moves are not in the bits",
            "-- -- d2d4 -- -- d7d5",
        ),
        vector("only-nulls", "Null moves alone: no bits", "-- --"),
        vector(
            "long",
            "400 plies of a game played at random",
            &random_game(STANDARD),
        ),
    ]
}

fn written_lines(forms: Forms) -> Vec<Vector> {
    let vector = |name: &str, description: &str, fen: &str, plies: &str| {
        let name = format!("written-{name}");
        Vector::passing(&name, description, forms.written, fen, plies)
    };
    let many = "1r2k3/P6P/QN6/NQ6/1N1R4/p7/6pp/RR2K3 b - - 7 33";
    vec![
        vector(
            "standard",
            "The standard start, written out",
            STANDARD,
            SHORT,
        ),
        vector(
            "white-to-move",
            "No plies, White to move",
            "4k3/8/8/8/8/8/8/4K3 w - - 12 80",
            "",
        ),
        vector(
            "black-to-move",
            "No plies, Black to move",
            "4k3/8/8/8/8/8/8/4K3 b - - 12 80",
            "",
        ),
        vector(
            "two-queens",
            "The worked example",
            TWO_QUEENS,
            "b7b8n h8g7 b8d7",
        ),
        vector(
            "promoted",
            "Promoted pieces of several kinds",
            many,
            &random_game(many),
        ),
        vector(
            "en-passant",
            "En passant at the first ply",
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 9",
            "e5d6",
        ),
        vector(
            "null-first",
            "After a null move the other side moves first",
            TWO_QUEENS,
            "-- h8g7 a2a7",
        ),
        vector(
            "only-null",
            "Only null moves: the side to move is written",
            TWO_QUEENS,
            "--",
        ),
        vector(
            "chess960",
            "Chess960 castling goes onto the rook",
            "5k1r/8/8/8/8/8/8/5K1R w Hh - 0 1",
            "f1h1 f8g8",
        ),
        vector(
            "chess960-step",
            "The king's step to its castling square",
            "5k1r/8/8/8/8/8/8/5K1R w Hh - 0 1",
            "f1g1",
        ),
        vector(
            "chess960-stays",
            "Castling by a king that stays",
            "6k1/8/8/8/8/8/8/6KR w H - 0 1",
            "g1h1 g8g7",
        ),
    ]
}

/// Lines of Atomic and Racing Kings.
fn variant_lines(forms: Forms) -> Vec<Vector> {
    let vector = |rules, name, description, fen, plies| {
        let rules = Rules::by_name(rules).expect("rules");
        Vector::passing_by(rules, name, description, forms.written, fen, plies)
    };
    vec![
        vector(
            b"atomic",
            "written-atomic",
            "Explosions: 3. Nxf7 takes the queen, bishop, knight and king beside it",
            STANDARD,
            "g1f3 a7a6 f3g5 h7h6 g5f7",
        ),
        vector(
            b"atomic",
            "written-atomic-en-passant",
            "En passant explodes where the pawn lands: the knight on c6 is gone, the pawn on c7 stays",
            STANDARD,
            "e2e4 b8c6 e4e5 d7d5 e5d6 c7c5 d1h5",
        ),
        vector(
            b"racingkings",
            "written-racing-kings",
            "Racing Kings: no pawns, all IDs of officers",
            "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1",
            "h2h3 a2a3 h3h4 a3a4 e2g3",
        ),
    ]
}

/// Up to 400 legal plies picked by a linear congruential generator.
pub(crate) fn random_game(fen: &str) -> String {
    let mut position: ChessPosition = position(fen);
    let mut state = 1u64;
    let mut plies = Vec::new();
    for _ in 0..400 {
        let legal = position.legal_plies();
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let pick = usize::try_from(state >> 33).unwrap() % legal.len().max(1);
        let Some(ply) = legal.get(pick) else { break };
        position.make(*ply).unwrap();
        plies.push(uci(*ply));
    }
    plies.join(" ")
}

fn uci(ply: PlyKind) -> String {
    match ply {
        PlyKind::Drop { role, to } => format!("{}@{to}", role.upper_char()),
        PlyKind::Null => "--".to_owned(),
        PlyKind::Move {
            from,
            to,
            promotion,
        } => {
            let promotion = promotion.map_or(String::new(), |role| role.char().to_string());
            format!("{from}{to}{promotion}")
        }
    }
}
