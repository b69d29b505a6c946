use proptest::prelude::*;

use super::*;
use crate::bits::BitsError;
use crate::chess::{Outcome, Rules};
use crate::moves::testing::{line_of, start};
use crate::moves::{LineInfo, LineStart};

/// The little-endian bytes of a number.
fn bytes_of(number: u64) -> Vec<u8> {
    let mut bytes = number.to_le_bytes().to_vec();
    while bytes.pop_if(|last| *last == 0).is_some() {}
    bytes
}

fn fold(digits: &[(u32, u32)]) -> Vec<u8> {
    let mut fold = MixedRadixEncoder::new();
    for (digit, base) in digits {
        fold.push(*digit, *base);
    }
    fold.finish()
}

fn bits(bytes: &[u8]) -> usize {
    let last = bytes.last().map_or(0, |last| last.leading_zeros() as usize);
    8 * bytes.len() - last
}

#[test]
fn the_number_of_the_proposal() {
    let (start, plies) = line_of("e4 e5 Nf3 f6");
    let digits = [(13, 20), (11, 20), (13, 29), (19, 29)];
    for (count, number) in [0, 13, 233, 5433, 225_833].into_iter().enumerate() {
        assert_eq!(fold(&digits[..count]), bytes_of(number));
        let line = Line::new(&start, &plies[..count]);
        assert_eq!(Radix.encode(line), Ok(bytes_of(number)));
    }
}

/// The last of 20 legal moves at each of 80 plies.
#[test]
fn the_sizes_of_the_proposal() {
    let mut plain = MixedRadixEncoder::new();
    let mut with_end = MixedRadixEncoder::new();
    for _ in 0..80 {
        plain.push(19, 20);
        with_end.push(19, 20 + 1);
    }
    with_end.push(20, 20 + 1);
    assert_eq!(bits(&plain.finish()), 346);
    assert_eq!(bits(&with_end.clone().finish_with(0)), 356);
    assert_eq!(bits(&with_end.finish_with(1)), 357);
}

proptest! {
    #[test]
    fn digits_come_back(
        pairs in prop::collection::vec((any::<u32>(), 1u32..300), 0..50),
        repeats in 1usize..60,
        remainder: u32,
    ) {
        let digits: Vec<(u32, u32)> = pairs.iter().map(|(n, base)| (n % base, *base)).collect();
        let digits = digits.repeat(repeats);
        let mut fold = MixedRadixEncoder::new();
        for (digit, base) in &digits {
            fold.push(*digit, *base);
        }
        let bytes = fold.finish_with(remainder.into());
        let mut unfold = MixedRadixDecoder::new(&bytes).expect("numbers");
        for (digit, base) in &digits {
            prop_assert_eq!(unfold.digit(*base), Ok(*digit));
        }
        prop_assert_eq!(unfold.remainder(), Ok(remainder));
        prop_assert_eq!(unfold.finish().is_ok(), remainder == 0);
    }

    /// The number agrees with the definition, as long as it fits into 64 bits.
    #[test]
    fn the_first_digit_is_the_least_significant(
        pairs in prop::collection::vec((any::<u32>(), 1u32..200), 0..8),
    ) {
        let digits: Vec<(u32, u32)> = pairs.iter().map(|(n, base)| (n % base, *base)).collect();
        let number = digits.iter().rev().fold(0, |number, (digit, base)| {
            u64::from(*digit) + u64::from(*base) * number
        });
        prop_assert_eq!(fold(&digits), bytes_of(number));
    }
}

#[test]
fn a_number_takes_1024_digits() {
    let full = vec![(1, 2); 1024];
    let one = fold(&full);
    assert_eq!(one, [0xff; 128]);
    let two = fold(&[(1, 2)].repeat(1025));
    assert_eq!(two[..2], [0x80, 1], "length 128");
    assert_eq!(two[2..], [&one[..], &[1, 1, 0]].concat());
    let zeros = fold(&[(0, 1)].repeat(1025));
    assert_eq!(zeros, [0, 0, 0]);
    // `reserve_limb` starts a number even if no digit follows.
    let mut begun = MixedRadixEncoder::new();
    full.iter()
        .for_each(|(digit, base)| begun.push(*digit, *base));
    begun.start_number();
    assert_eq!(begun.finish(), [&[0x80, 1], &one[..], &[0, 0]].concat());
}

#[test]
fn what_is_not_written_so_is_refused() {
    let opened = |bytes: &[u8]| MixedRadixDecoder::new(bytes).map(|_| ());
    assert_eq!(opened(&[1, 7, 0]), Err(RadixError::SingleNumber));
    assert_eq!(opened(&[2, 7, 0, 0, 0]), Err(RadixError::LeadingZeros));
    assert_eq!(opened(&[0]), Err(BitsError::EndOfInput.into()));
    assert_eq!(opened(&[3, 7, 0]), Err(BitsError::EndOfInput.into()));
    assert_eq!(opened(&[0x81, 0, 7, 0, 0]), Err(BitsError::Varint.into()));
    assert_eq!(
        MixedRadixDecoder::new(&[]).expect("numbers").digit(0),
        Err(RadixError::NoLegalMove)
    );
    // One number with a digit too many; two numbers where one suffices.
    let after = |bytes: &[u8], digits| {
        let mut unfold = MixedRadixDecoder::new(bytes)?;
        for _ in 0..digits {
            unfold.digit(2)?;
        }
        unfold.finish()
    };
    assert_eq!(after(&[2], 1), Err(RadixError::Remainder));
    assert_eq!(after(&[1], 1025), Err(BitsError::EndOfInput.into()));
    assert_eq!(
        after(&[1, 1, 1, 1, 0], 1024),
        Err(BitsError::Trailing.into())
    );
    assert_eq!(after(&[1, 1, 1, 1, 0], 1025), Ok(()));
    let large = [&[129], [0xff; 129].as_slice(), &[0, 0]].concat();
    let large = [&[0x81, 1], &large[1..]].concat();
    assert_eq!(after(&large, 1025), Err(RadixError::Remainder));
}

fn ended(sans: &str, result: Option<Outcome>) -> Result<Vec<u8>, LineEncodeError> {
    let (start, plies) = line_of(sans);
    let line = Line {
        result,
        ..Line::new(&start, &plies)
    };
    RadixEnd.encode(line)
}

const WHITE: Option<Outcome> = Some(Outcome::Decisive {
    winner: crate::chess::Color::White,
});
const BLACK: Option<Outcome> = Some(Outcome::Decisive {
    winner: crate::chess::Color::Black,
});
const DRAW: Option<Outcome> = Some(Outcome::Draw);

const MATE: &str = "f3 e5 g4 Qh4#";
const STALEMATE: &str = "e3 a5 Qh5 Ra6 Qxa5 h5 h4 Rah6 Qxc7 f6 Qxd7+ Kf7 Qxb7 Qd3 Qxb8 Qh7 \
                         Qxc8 Kg6 Qe6";

#[test]
fn games_come_back_with_their_ending() {
    for (sans, result) in [
        ("e4 e5", BLACK),
        ("e4 e5 Nf3", WHITE),
        ("e4 e5 Nf3", DRAW),
        ("", BLACK),
        ("", DRAW),
        (MATE, BLACK),
        (STALEMATE, DRAW),
    ] {
        let bytes = ended(sans, result).expect("an encoding");
        let (start, plies) = line_of(sans);
        let shape = LineInfo::new(LineStart::Position(&start), 0, &[]);
        let line = RadixEnd.decode(&bytes, &shape, &Limits::default());
        let line = line.expect("a line");
        assert_eq!((line.plies, line.result), (plies, result), "{sans}");
    }
}

#[test]
fn other_endings_cannot_be_represented() {
    for (sans, result) in [
        ("e4 e5", None),
        ("e4 e5", WHITE),
        ("", WHITE),
        (MATE, WHITE),
        (MATE, DRAW),
        (MATE, None),
        (STALEMATE, WHITE),
        (STALEMATE, None),
    ] {
        assert_eq!(
            ended(sans, result),
            Err(LineEncodeError::NoEnding),
            "{sans}"
        );
    }
}

/// A king moves back and forth for this number of plies.
fn shuffle(plies: usize) -> (ChessPosition, Vec<PlyKind>) {
    let start = start("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "");
    let step = |from, to| PlyKind::Move {
        from,
        to,
        promotion: None,
    };
    use crate::chess::Square::{E1, E2, E7, E8};
    let round = [step(E1, E2), step(E8, E7), step(E2, E1), step(E7, E8)];
    let plies = round.into_iter().cycle().take(plies).collect();
    (start, plies)
}

#[test]
fn the_end_may_begin_a_number() {
    for plies in [1023, 1024, 1025, 2047, 2048, 2049] {
        let (start, plies) = shuffle(plies);
        let last_turn = if plies.len() % 2 == 0 { BLACK } else { WHITE };
        for result in [DRAW, last_turn] {
            let line = Line {
                result,
                ..Line::new(&start, &plies)
            };
            let bytes = RadixEnd.encode(line).expect("an encoding");
            let is_long = bytes.last() == Some(&0);
            assert_eq!(is_long, plies.len() >= 1024);
            let shape = LineInfo::new(LineStart::Position(&start), 0, &[]);
            let decode = |limit| {
                let limits = Limits {
                    plies: limit,
                    ..Limits::default()
                };
                RadixEnd.decode(&bytes, &shape, &limits)
            };
            let count = plies.len() as u64;
            let line = decode(count).expect("a line");
            assert_eq!(
                (line.plies.as_slice(), line.result),
                (plies.as_slice(), result)
            );
            let error = MoveError::TooManyPlies {
                plies: count,
                limit: count - 1,
            };
            assert_eq!(decode(count - 1), Err(error));
        }
    }
}

/// Mate at ply 1,024, with a first move of Black's king from g8 to h8: the second
/// number exists and is 0. With mate at ply 1,023 there is no second number.
#[test]
fn a_number_follows_also_where_no_move_is_legal() {
    use crate::chess::Square::{A1, A2, A8, G8, H8};
    let step = |from, to| PlyKind::Move {
        from,
        to,
        promotion: None,
    };
    let round = [step(A1, A2), step(H8, G8), step(A2, A1), step(G8, H8)];
    let mut plies = vec![step(G8, H8)];
    plies.extend(round.into_iter().cycle().take(1022));
    plies.push(step(A2, A8));
    let starts = [
        start("6k1/8/6K1/8/8/8/8/R7 b - - 0 1", ""),
        start("7k/8/6K1/8/8/8/8/R7 w - - 0 1", ""),
    ];
    let [two, one] = [(&starts[0], &plies[..]), (&starts[1], &plies[1..])].map(|(start, plies)| {
        let line = Line {
            result: WHITE,
            ..Line::new(start, plies)
        };
        let bytes = RadixEnd.encode(line).expect("an encoding");
        let shape = LineInfo::new(LineStart::Position(start), 0, &[]);
        let decoded = RadixEnd.decode(&bytes, &shape, &Limits::default());
        assert_eq!(decoded.expect("a line").plies, plies);
        bytes
    });
    assert_ne!(one.last(), Some(&0));
    assert_eq!(two[two.len() - 2..], [0, 0], "no bytes, and the mark");
}

/// Null moves are not in the bytes, and all of them must occur.
#[test]
fn null_moves_are_met() {
    let (start, mut plies) = line_of("e4 e5");
    plies.insert(1, PlyKind::Null);
    plies.insert(2, PlyKind::Null);
    plies.push(PlyKind::Null);
    let line = Line {
        result: DRAW,
        ..Line::new(&start, &plies)
    };
    let bytes = RadixEnd.encode(line).expect("an encoding");
    let decode = |nulls: &[u64]| {
        let shape = LineInfo::new(LineStart::Position(&start), 0, nulls);
        RadixEnd.decode(&bytes, &shape, &Limits::default())
    };
    assert_eq!(decode(&[1, 2, 4]).expect("a line").plies, plies);
    assert_eq!(decode(&[1, 2, 6]), Err(MoveError::NullPlies));
    assert_eq!(decode(&[2, 1]), Err(MoveError::NullPlies));
}

#[test]
fn variants_end_by_their_own_rule() {
    let hill = start("4k3/8/8/8/8/4K3/8/8 w - - 0 1", "kingofthehill");
    assert_eq!(hill.rules(), Rules::by_name(b"koth").expect("rules"));
    let to_the_hill = [PlyKind::Move {
        from: crate::chess::Square::E3,
        to: crate::chess::Square::E4,
        promotion: None,
    }];
    let encode = |result| {
        RadixEnd.encode(Line {
            result,
            ..Line::new(&hill, &to_the_hill)
        })
    };
    assert!(encode(WHITE).is_ok());
    assert_eq!(encode(BLACK), Err(LineEncodeError::NoEnding));
    assert_eq!(encode(DRAW), Err(LineEncodeError::NoEnding));
}
