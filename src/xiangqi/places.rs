//! The points that each of the 32 pieces can reach, likely ones first
//! (`docs/xiangqi.md`, "Places").
//!
//! The lists are those of an old scheme for Xiangqi share links. Only Red's are
//! written here. Black's are the same on the board rotated by 180°.

use std::ops::Range;
use std::sync::LazyLock;

use super::{Point, XiangqiPiece, XiangqiPieceKind};

/// The place of a piece: a point, or `None` if it is captured.
pub(super) type PieceSquares = Option<Point>;

/// The number of pieces.
pub(super) const PIECES: usize = 32;

const GENERAL: [u8; 9] = [85, 86, 84, 76, 77, 75, 67, 68, 66];

const ADVISERS: [[u8; 5]; 2] = [[86, 84, 76, 68, 66], [84, 86, 76, 66, 68]];

const ELEPHANTS: [[u8; 7]; 2] = [[87, 67, 71, 51, 83, 47, 63], [83, 67, 63, 47, 87, 51, 71]];

/// The points of the soldiers at the start.
const SOLDIERS: [u8; 5] = [62, 60, 58, 56, 54];

/// The pieces by ID, 32 in all.
pub(super) fn pieces() -> impl Iterator<Item = XiangqiPiece> {
    XiangqiPiece::all().flat_map(|piece| std::iter::repeat_n(piece, piece.kind.count()))
}

/// The IDs of a piece, as a range that equal pieces share.
pub(super) fn ids(piece: XiangqiPiece) -> Range<usize> {
    let before = XiangqiPiece::all().take_while(|other| *other != piece);
    let first = before.map(|other| other.kind.count()).sum();
    first..first + piece.kind.count()
}

/// The places of each piece, by ID.
pub(super) fn places() -> &'static [Vec<PieceSquares>] {
    static PLACES: LazyLock<Vec<Vec<PieceSquares>>> = LazyLock::new(|| {
        let red = red_places();
        let black = red.iter().map(|places| places.iter().map(turned).collect());
        red.iter().cloned().chain(black).collect()
    });
    &PLACES
}

/// The points that determine the ID of a piece among equal ones: the first in the
/// list of an adviser or elephant, the first two in that of a soldier.
pub(super) fn homes(
    kind: XiangqiPieceKind,
    places: &[PieceSquares],
) -> impl Iterator<Item = Point> {
    let count = match kind {
        XiangqiPieceKind::Adviser | XiangqiPieceKind::Elephant => 1,
        XiangqiPieceKind::Soldier => 2,
        XiangqiPieceKind::General
        | XiangqiPieceKind::Horse
        | XiangqiPieceKind::Chariot
        | XiangqiPieceKind::Cannon => 0,
    };
    places.iter().copied().flatten().take(count)
}

/// The points in the lists of all IDs of a piece, ascending.
pub(super) fn reach(piece: XiangqiPiece) -> Vec<Point> {
    let lists = places().get(ids(piece)).unwrap_or_default();
    let mut points: Vec<Point> = lists.iter().flatten().copied().flatten().collect();
    points.sort_unstable();
    points.dedup();
    points
}

fn red_places() -> Vec<Vec<PieceSquares>> {
    let mut lists = vec![on(&GENERAL)];
    if let Some(general) = lists.first_mut() {
        general.push(None);
    }
    lists.extend(ADVISERS.iter().map(|points| captured_or_on(points)));
    lists.extend(ELEPHANTS.iter().map(|points| captured_or_on(points)));
    let anywhere: Vec<u8> = (0..Point::COUNT).rev().collect();
    lists.extend(std::iter::repeat_n(captured_or_on(&anywhere), 6));
    lists.extend(SOLDIERS.map(|start| {
        let mut points = vec![start, start - 9];
        points.extend((0..45).rev());
        captured_or_on(&points)
    }));
    lists
}

fn on(points: &[u8]) -> Vec<PieceSquares> {
    points.iter().copied().map(Point::new).collect()
}

fn captured_or_on(points: &[u8]) -> Vec<PieceSquares> {
    let mut places = vec![None];
    places.extend(on(points));
    places
}

fn turned(place: &PieceSquares) -> PieceSquares {
    place.map(Point::rotated)
}

#[cfg(test)]
mod tests {
    use super::super::XiangqiSide;
    use super::*;
    use std::collections::HashSet;

    const SPEC: &str = include_str!("../../docs/xiangqi.md");

    /// The places of a list in the notation of the specification: × for captured, … for the points
    /// between two numbers.
    fn listed_places(text: &str) -> Vec<Option<u8>> {
        let mut places: Vec<Option<u8>> = Vec::new();
        let mut is_run = false;
        for word in text.split(' ').filter(|word| !word.is_empty()) {
            if word == "…" {
                is_run = true;
                continue;
            }
            let place = (word != "×").then(|| word.parse::<u8>().expect("a number"));
            if is_run {
                let first = places.last().copied().flatten().expect("a number before …");
                let last = place.expect("a number after …");
                match first < last {
                    true => places.extend((first + 1..last).map(Some)),
                    false => places.extend((last + 1..first).rev().map(Some)),
                }
            }
            places.push(place);
            is_run = false;
        }
        places
    }

    #[test]
    fn the_specification_has_the_same_lists() {
        let (_, section) = SPEC.split_once("## Places").expect("a section");
        let (section, _) = section.split_once("\n## ").expect("a next section");
        let mut listed = vec![None; PIECES];
        for row in section
            .lines()
            .filter(|line| line.starts_with("| ") && line.contains('×'))
        {
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            let mut ids = cells[1]
                .split('–')
                .map(|id| id.parse::<usize>().expect("an ID"));
            let first = ids.next().expect("an ID");
            let last = ids.next().unwrap_or(first);
            for (id, listed) in (first..=last).zip(&mut listed[first..=last]) {
                assert_eq!(cells[2], pieces().nth(id).expect("a piece").to_string());
                *listed = Some(listed_places(cells[3]));
            }
        }
        let code: Vec<_> = places()
            .iter()
            .map(|places| {
                let numbers = places.iter().map(|place| place.map(Point::number));
                Some(numbers.collect::<Vec<_>>())
            })
            .collect();
        assert_eq!(listed, code);
    }

    #[test]
    fn lists_name_each_place_once() {
        assert_eq!(places().len(), PIECES);
        for (piece, places) in pieces().zip(places()) {
            let length = match piece.kind {
                XiangqiPieceKind::General => 10,
                XiangqiPieceKind::Adviser => 6,
                XiangqiPieceKind::Elephant => 8,
                XiangqiPieceKind::Soldier => 48,
                _ => 91,
            };
            let distinct: HashSet<&PieceSquares> = places.iter().collect();
            assert_eq!((distinct.len(), places.len()), (length, length), "{piece}");
        }
    }

    #[test]
    fn reach_is_what_the_rules_allow() {
        for piece in XiangqiPiece::all() {
            let reach = reach(piece);
            let expected = match piece.kind {
                XiangqiPieceKind::General => 9,
                XiangqiPieceKind::Adviser => 5,
                XiangqiPieceKind::Elephant => 7,
                XiangqiPieceKind::Soldier => 55,
                _ => 90,
            };
            assert_eq!(reach.len(), expected, "{piece}");
            let in_palace = reach.iter().all(|point| piece.side.is_in_palace(*point));
            let is_bound = matches!(
                piece.kind,
                XiangqiPieceKind::General | XiangqiPieceKind::Adviser
            );
            assert_eq!(in_palace, is_bound, "{piece}");
        }
    }

    #[test]
    fn ids_are_in_order() {
        let mut next = 0;
        for piece in XiangqiPiece::all() {
            assert_eq!(ids(piece).start, next);
            next = ids(piece).end;
            assert!(ids(piece).all(|id| pieces().nth(id) == Some(piece)));
        }
        assert_eq!(next, PIECES);
        assert_eq!(
            pieces().nth(16).map(|piece| piece.side),
            Some(XiangqiSide::Black)
        );
    }
}
