use super::*;
use crate::testing::examples::assert_shown;
use proptest::prelude::*;

fn line(keys: &[u32], value: u64) -> BookGame<'static> {
    BookGame {
        keys: Vec::leak(keys.to_vec()),
        value,
    }
}

/// Keys that are far apart.
fn key(n: u32) -> u32 {
    n.wrapping_mul(0x9e37_79b9)
}

fn keys(numbers: &[u32]) -> Vec<u32> {
    numbers.iter().map(|n| key(*n)).collect()
}

fn repeated(count: usize, keys: &[u32], value: u64) -> Vec<BookGame<'static>> {
    vec![line(keys, value); count]
}

fn read(bytes: &[u8]) -> Result<OpeningBook, CodecError> {
    OpeningBook::read(bytes, &Limits::default())
}

#[test]
fn last_position_in_the_book_predicts() {
    let [start, e4, c5, nf3] = [0, 1, 2, 3].map(key);
    let lines = [
        repeated(50, &[start, e4], 7),
        repeated(50, &[start, e4, c5], 8),
        repeated(50, &[start, e4, c5, nf3, key(9)], 9),
    ]
    .concat();
    let book = learn_book(&lines, 8);
    assert_eq!((book.positions(), book.plies()), (3, 3));
    for line in &lines {
        assert_eq!(book.predict(line.keys), Some(line.value));
    }
    assert_eq!(book.predict(&[start, e4, c5, key(10)]), Some(8));
    assert_eq!(book.predict(&[key(20)]), None);
    assert_eq!(read(&book.write()), Ok(book));
}

#[test]
fn inherited_predictions_take_no_position() {
    let [start, e4, c5, nf3] = [0, 1, 2, 3].map(key);
    let lines = [
        repeated(50, &[start, e4, c5, nf3], 8),
        repeated(50, &[start, e4, c5], 8),
    ]
    .concat();
    let book = learn_book(&lines, 8);
    assert_eq!(book.positions(), 1);
}

#[test]
fn positions_reached_in_another_order_are_the_same() {
    let goal = key(9);
    let mut lines = Vec::new();
    for way in 0..40 {
        lines.push(line(&[key(0), key(100 + way), goal], 5));
        lines.extend(repeated(2, &[key(0), key(200 + way)], 6));
    }
    let book = learn_book(&lines, 8);
    assert_eq!(book.value(goal), Some(5));
    assert_eq!(book.positions(), 2);
}

#[test]
fn rare_positions_are_left_out() {
    let lines: Vec<BookGame<'_>> = (0..100)
        .map(|n| line(&[key(n), key(n + 1000)], n.into()))
        .collect();
    assert_eq!(
        learn_book(&lines, 8),
        OpeningBook {
            key_bits: 12,
            ..OpeningBook::default()
        }
    );
}

#[test]
fn plies_after_the_limit_are_ignored() {
    let mut far = keys(&(0..=50).collect::<Vec<u32>>());
    far[45] = key(999);
    let lines = [repeated(90, &far, 1), repeated(90, &keys(&[900, 901]), 2)].concat();
    let book = learn_book(&lines, 8);
    assert!(book.plies() <= MAX_PLIES);
    assert_eq!(book.value(key(999)), None);
    assert_eq!(book.predict(&far), Some(1));
}

#[test]
fn golden_book() {
    let book = OpeningBook::new(4, 24, vec![(key(3), 9), (key(1), 7), (key(2), 8)]);
    let spec = include_str!("../../../spec/openings.md");
    assert_shown(spec, "openings", &book.write());
}

#[test]
fn invalid_books_are_refused() {
    let book = OpeningBook::new(4, 8, vec![(key(1), 7), (key(2), 8)]).write();
    assert!(read(&book).is_ok());
    for length in 0..book.len() {
        assert!(read(&book[..length]).is_err(), "cut at {length}");
    }
    assert!(read(&[&book[..], &[0]].concat()).is_err());
    let refused: [(&str, &[u8]); 5] = [
        ("too many plies", &[41, 8, 0, 0, 0]),
        ("too many bits", &[4, 33, 0, 0, 0]),
        (
            "too many positions",
            &[4, 8, 0x81, 0x80, 0x40, 2, 0, 0, 2, 0, 0],
        ),
        ("a key too large", &[4, 2, 1, 2, 0, 4, 2, 0, 0]),
        ("a second key too large", &[4, 2, 2, 2, 0, 2, 2, 0, 0]),
    ];
    for (name, bytes) in refused {
        assert!(read(bytes).is_err(), "{name}");
    }
}

proptest! {
    #[test]
    fn books_round_trip(
        games in prop::collection::vec((prop::collection::vec(0..30u32, 0..12), 0..4u64), 0..200),
    ) {
        let lines: Vec<BookGame<'_>> = games.iter().map(|(numbers, value)| line(&keys(numbers), *value)).collect();
        let book = learn_book(&lines, 6);
        prop_assert_eq!(read(&book.write()), Ok(book.clone()));
        let mut other_way = lines.clone();
        other_way.reverse();
        prop_assert_eq!(learn_book(&other_way, 6), book);
    }

    #[test]
    fn any_book_is_safe(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        if let Ok(book) = read(&bytes) {
            prop_assert!(book.plies() <= MAX_PLIES);
            prop_assert!(read(&book.write()).is_ok());
        }
    }
}
