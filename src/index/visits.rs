//! The squares that the pieces of each game visit, and to which sides the players castle.

use super::board::UncheckedBoard;
use super::line::{IndexLine, IndexMoves};
use super::target::PlaceSet;
use crate::bits::{ByteReader, put_bytes, put_varint};
use crate::chess::{CastlingSide, Castlings, Piece, Role, Square};
use crate::codec::error::CodecError;
use crate::codec::ints;
use crate::limits::Limits;
use crate::parallel;

/// The pieces whose visits are stored, in the order of their numbers, and which of their sets: those
/// to which at most one game in this many belongs. Knights are asked for on central squares, rooks
/// on the seventh rank; the rare squares of all pieces are the cheapest. On 192,630 master games
/// these take 9.4 bytes a game; all 640 sets would take 25.
const VISITORS: [(Role, usize); 5] = [
    (Role::Knight, 4),
    (Role::Bishop, 32),
    (Role::Rook, 10),
    (Role::Queen, 64),
    (Role::King, 64),
];

/// The number of pairs of a piece and a square.
const PAIRS: usize = 2 * VISITORS.len() * 64;

/// The visits of the games of a tree, in the tree order.
#[derive(Debug, Clone)]
pub struct Visits {
    castlings: Vec<u8>,
    sets: Vec<Option<StoredSet>>,
    limits: Limits,
}

/// The games in which a piece visits a square.
#[derive(Debug, Clone)]
struct StoredSet {
    games: usize,
    gaps: Vec<u8>,
}

const DAMAGED: CodecError = CodecError::Damaged("visits of games that are missing");

/// The number of a pair of a piece and a square; `None` for pawns.
fn pair(piece: Piece, square: Square) -> Option<usize> {
    let visitor = VISITORS.iter().position(|(role, _)| *role == piece.role)?;
    let visitor = visitor + piece.color.fold_wb(0, VISITORS.len());
    Some(64 * visitor + usize::from(square))
}

/// What is known of a game.
struct VisitsOfGame {
    /// One bit for each pair.
    pairs: [u64; PAIRS / 64],
    castlings: Castlings,
}

impl VisitsOfGame {
    fn of(line: &IndexLine) -> VisitsOfGame {
        let mut board = UncheckedBoard::standard();
        let mut game = VisitsOfGame {
            pairs: [0; PAIRS / 64],
            castlings: Castlings::default(),
        };
        Square::ALL
            .into_iter()
            .for_each(|square| game.visit(&board, square));
        for ply in &line.plies {
            let (from, to, _) = ply.parts();
            let moves = board.piece_at(from);
            board.play(*ply);
            game.visit(&board, to);
            let files = to.file() as i32 - from.file() as i32;
            if let Some(Piece {
                role: Role::King,
                color,
            }) = moves
                && files.abs() == 2
            {
                let side = CastlingSide::from_king_side(files > 0);
                let [white, black] = &mut game.castlings;
                *color.fold_wb(white, black) = Some(side);
                let rook = u32::midpoint(from.into(), to.into());
                game.visit(&board, Square::new(rook));
            }
        }
        game
    }

    fn visit(&mut self, board: &UncheckedBoard, square: Square) {
        let piece = board.piece_at(square);
        if let Some(pair) = piece.and_then(|piece| pair(piece, square))
            && let Some(squares) = self.pairs.get_mut(pair / 64)
        {
            *squares |= 1 << (pair % 64);
        }
    }
}

fn castling_number(side: Option<CastlingSide>) -> u64 {
    match side {
        None => 0,
        Some(CastlingSide::KingSide) => 1,
        Some(CastlingSide::QueenSide) => 2,
    }
}

fn castlings_of(number: u8) -> Castlings {
    [number % 3, number / 3].map(|side| match side {
        0 => None,
        1 => Some(CastlingSide::KingSide),
        _ => Some(CastlingSide::QueenSide),
    })
}

impl Visits {
    /// Encodes the visits of the games, which are in the order of the tree, and whose moves are legal;
    /// `None` if a game has no line.
    pub(super) fn build(order: &[u32], games: &[IndexMoves]) -> Option<Vec<u8>> {
        let games = parallel::map(order, |game| {
            Some(VisitsOfGame::of(IndexMoves::line_of(games, *game)?))
        });
        let games = games.into_iter().collect::<Option<Vec<_>>>()?;
        let castlings = games.iter().map(|game| {
            let [white, black] = game.castlings.map(castling_number);
            white + 3 * black
        });
        let castlings: Vec<u64> = castlings.collect();
        let sets = parallel::map(0..PAIRS, |pair| {
            let (_, share) = VISITORS.get(pair / 64 % VISITORS.len())?;
            Some((pair, gaps(&games, pair, games.len() / share)?))
        });
        let sets: Vec<(usize, Vec<u64>)> = sets.into_iter().flatten().collect();
        let mut out = Vec::new();
        put_varint(&mut out, games.len() as u64);
        put_bytes(&mut out, &ints::encode(&castlings));
        put_varint(&mut out, sets.len() as u64);
        let mut next = 0;
        let skipped = sets.iter().map(|(pair, _)| {
            let skipped = pair - next;
            next = pair + 1;
            skipped as u64
        });
        put_bytes(&mut out, &ints::encode(&skipped.collect::<Vec<_>>()));
        let counts = sets.iter().map(|(_, gaps)| gaps.len() as u64);
        put_bytes(&mut out, &ints::encode(&counts.collect::<Vec<_>>()));
        let filled = sets.iter().filter(|(_, gaps)| !gaps.is_empty());
        filled.for_each(|(_, gaps)| put_bytes(&mut out, &ints::encode(gaps)));
        Some(out)
    }

    /// Decodes the section of the visits of `games` games.
    ///
    /// # Errors
    /// The section is damaged or belongs to another segment, or a limit is exceeded.
    pub fn parse(payload: &[u8], games: usize, limits: &Limits) -> Result<Visits, CodecError> {
        let mut reader = ByteReader::new(payload);
        if reader.length()? != games {
            return Err(CodecError::Damaged("visits of another number of games"));
        }
        let castlings = ints::decode(reader.bytes()?, games, limits)?;
        let castling = |number: &u64| u8::try_from(*number).ok().filter(|number| *number < 9);
        let castlings: Option<Vec<u8>> = castlings.iter().map(castling).collect();
        let mut sets = vec![None; PAIRS];
        let stored = reader.length()?;
        if stored > PAIRS {
            return Err(CodecError::Damaged(
                "more sets of visitors than there can be",
            ));
        }
        let skipped = ints::decode(reader.bytes()?, stored, limits)?;
        let counts = ints::decode(reader.bytes()?, stored, limits)?;
        let mut next = 0usize;
        for (skipped, count) in skipped.into_iter().zip(counts) {
            let pair = usize::try_from(skipped).ok();
            let pair = pair.and_then(|skipped| next.checked_add(skipped));
            let set = pair.and_then(|pair| Some((pair, sets.get_mut(pair)?)));
            let (pair, set) = set.ok_or(CodecError::Damaged("visits of an unknown piece"))?;
            next = pair + 1;
            let count = usize::try_from(count).ok().filter(|count| *count <= games);
            let count = count.ok_or(DAMAGED)?;
            let gaps = match count {
                0 => &[],
                _ => reader.bytes()?,
            };
            *set = Some(StoredSet {
                games: count,
                gaps: gaps.to_vec(),
            });
        }
        reader.finish()?;
        Ok(Visits {
            castlings: castlings.ok_or(CodecError::Damaged("an unknown castling"))?,
            sets,
            limits: limits.clone(),
        })
    }

    /// To which sides the players castle in the game at `place`.
    pub(super) fn castlings(&self, place: usize) -> Option<Castlings> {
        self.castlings
            .get(place)
            .map(|number| castlings_of(*number))
    }

    /// The games in which this holds of the sides to which White and Black castle.
    pub fn games_castling(&self, is_it: impl Fn(Castlings) -> bool) -> PlaceSet {
        let castlings = self.castlings.iter();
        castlings
            .map(|number| is_it(castlings_of(*number)))
            .collect()
    }

    /// The number of games in which a piece is on a square at some time; `None` if that is not
    /// stored.
    pub fn count(&self, piece: Piece, square: Square) -> Option<usize> {
        let set = self.sets.get(pair(piece, square)?)?.as_ref()?;
        Some(set.games)
    }

    /// The games in which a piece is on a square at some time; `None` if that is not stored, or
    /// damaged.
    pub fn games_with(&self, piece: Piece, square: Square) -> Option<PlaceSet> {
        let set = self.sets.get(pair(piece, square)?)?.as_ref()?;
        let mut places = PlaceSet::repeat(false, self.castlings.len());
        let mut next = 0usize;
        for gap in ints::decode(&set.gaps, set.games, &self.limits).ok()? {
            let place = next.checked_add(usize::try_from(gap).ok()?)?;
            *places.get_mut(place)? = true;
            next = place + 1;
        }
        Some(places)
    }
}

/// The numbers of games between those that have this pair; `None` if more than `most` have it.
fn gaps(games: &[VisitsOfGame], pair: usize, most: usize) -> Option<Vec<u64>> {
    let mut gaps = Vec::new();
    let mut gap = 0;
    for game in games {
        let squares = game.pairs.get(pair / 64).copied().unwrap_or(0);
        if squares >> (pair % 64) & 1 == 1 {
            if gaps.len() == most {
                return None;
            }
            gaps.push(gap);
            gap = 0;
        } else {
            gap += 1;
        }
    }
    Some(gaps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{ChessPosition, Color, SanText};
    use crate::index::IndexBuilder;

    const GAMES: [&str; 6] = [
        "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7",
        "d4 d5 Nc3 Nc6 Bf4 Bf5 Qd2 Qd7 O-O-O O-O-O Kb1",
        // An underpromotion.
        "e4 d5 exd5 c6 dxc6 e5 cxb7 Nc6 bxa8=N Qd7",
        "Nf3 Nf6 Ng1 Ng8",
        "a4 b5",
        "f3 e5 g4 Qh4",
    ];

    /// The order of the games, the section, and the positions of the games in that order.
    fn built() -> (Vec<u32>, Vec<u8>, Vec<Vec<ChessPosition>>) {
        let mut positions = Vec::new();
        let lines = GAMES.map(|game| {
            let mut of_game = vec![ChessPosition::standard()];
            let plies = game.split(' ').map(|san| {
                let mut position = of_game.last().unwrap().clone();
                let text = SanText::parse(san.as_bytes()).unwrap();
                let (ply, _) = position.play_text(&text).unwrap();
                of_game.push(position);
                ply
            });
            let line = IndexMoves::Line(IndexLine::new(plies, false).unwrap());
            positions.push(of_game);
            line
        });
        let builder = IndexBuilder::new(&lines).unwrap();
        let order = builder.order().tree_games.clone();
        let section = Visits::build(&order, &lines).unwrap();
        let positions = order.iter().map(|game| positions[*game as usize].clone());
        let positions = positions.collect();
        (order, section, positions)
    }

    #[test]
    fn sets_have_the_games_with_the_piece_on_the_square() {
        let (_, section, positions) = built();
        let visits = Visits::parse(&section, GAMES.len(), &Limits::default()).unwrap();
        let mut stored = 0;
        for square in Square::ALL {
            for (color, (role, _)) in Color::ALL
                .into_iter()
                .flat_map(|c| VISITORS.map(|v| (c, v)))
            {
                let piece = Piece { color, role };
                let visitors = positions.iter().map(|of_game| {
                    let mut of_game = of_game.iter();
                    of_game.any(|position| position.piece_at(square) == Some(piece))
                });
                let visitors: PlaceSet = visitors.collect();
                if let Some(set) = visits.games_with(piece, square) {
                    stored += 1;
                    assert_eq!(set, visitors, "{piece:?} {square}");
                }
            }
            assert_eq!(visits.games_with(Color::White.pawn(), square), None);
        }
        assert!((600..640).contains(&stored), "{stored}");
        let on_a8 = visits
            .games_with(Color::White.knight(), Square::A8)
            .unwrap();
        assert_eq!(on_a8.count_ones(), 1);
    }

    #[test]
    fn castling_is_that_of_the_games() {
        let (order, section, _) = built();
        let visits = Visits::parse(&section, GAMES.len(), &Limits::default()).unwrap();
        for (place, game) in order.iter().enumerate() {
            let castlings = match game {
                0 => [Some(CastlingSide::KingSide), None],
                1 => [Some(CastlingSide::QueenSide); 2],
                _ => [None; 2],
            };
            assert_eq!(visits.castlings(place), Some(castlings), "{game}");
        }
        assert_eq!(visits.castlings(GAMES.len()), None);
    }

    #[test]
    fn damage_is_refused() {
        let (_, section, _) = built();
        let limits = Limits::default();
        assert!(Visits::parse(&section, GAMES.len() - 1, &limits).is_err());
        let section_of = |castlings: &[u64], skipped: &[u64], counts: &[u64], gaps: &[&[u64]]| {
            let mut out = Vec::new();
            put_varint(&mut out, castlings.len() as u64);
            put_bytes(&mut out, &ints::encode(castlings));
            put_varint(&mut out, skipped.len() as u64);
            put_bytes(&mut out, &ints::encode(skipped));
            put_bytes(&mut out, &ints::encode(counts));
            gaps.iter()
                .for_each(|gaps| put_bytes(&mut out, &ints::encode(gaps)));
            out
        };
        let parse = |section: Vec<u8>| Visits::parse(&section, 2, &limits);
        let last = Color::Black.king();
        let set = |visits: &Visits| visits.games_with(last, Square::H8);
        let whole = parse(section_of(&[8, 0], &[639], &[1], &[&[1]])).unwrap();
        assert_eq!(set(&whole).unwrap().count_ones(), 1);
        for section in [
            section_of(&[9, 0], &[639], &[1], &[&[1]]),
            section_of(&[8, 0], &[640], &[1], &[&[1]]),
            section_of(&[8, 0], &[639, 0], &[0, 0], &[]),
            section_of(&[8, 0], &[u64::MAX, 0], &[0, 0], &[]),
            section_of(&[8, 0], &[639], &[3], &[&[0, 0, 0]]),
            section_of(&[8, 0], &[639], &[1], &[&[1], &[1]]),
            section_of(&[8, 0], &[0; 641], &[0; 641], &[]),
        ] {
            assert!(parse(section).is_err());
        }
        for gaps in [&[2u64][..], &[1, 0], &[u64::MAX]] {
            let counts = [gaps.len() as u64];
            let visits = parse(section_of(&[8, 0], &[639], &counts, &[gaps])).unwrap();
            assert_eq!(set(&visits), None, "{gaps:?}");
        }
    }
}
