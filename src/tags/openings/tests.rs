use super::*;
use proptest::prelude::*;

fn line(keys: &[u32], value: u64) -> Line<'static> {
    Line {
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

fn many(count: usize, keys: &[u32], value: u64) -> Vec<Line<'static>> {
    vec![line(keys, value); count]
}

fn read(bytes: &[u8]) -> Result<Openings, CodecError> {
    Openings::read(bytes, &Limits::default())
}

#[test]
fn the_last_position_of_the_book_tells() {
    let [start, e4, c5, nf3] = [0, 1, 2, 3].map(key);
    let lines = [
        many(50, &[start, e4], 7),
        many(50, &[start, e4, c5], 8),
        many(50, &[start, e4, c5, nf3, key(9)], 9),
    ]
    .concat();
    let book = learn(&lines, 8);
    assert_eq!((book.positions(), book.plies()), (3, 3));
    for line in &lines {
        assert_eq!(book.foresee(line.keys.iter().copied()), Some(line.value));
    }
    assert_eq!(book.foresee([start, e4, c5, key(10)]), Some(8));
    assert_eq!(book.foresee([key(20)]), None);
    assert_eq!(read(&book.write()), Ok(book));
}

#[test]
fn what_is_inherited_takes_no_position() {
    let [start, e4, c5, nf3] = [0, 1, 2, 3].map(key);
    let lines = [
        many(50, &[start, e4, c5, nf3], 8),
        many(50, &[start, e4, c5], 8),
    ]
    .concat();
    let book = learn(&lines, 8);
    assert_eq!(book.positions(), 1);
}

#[test]
fn positions_reached_in_another_order_are_the_same() {
    let goal = key(9);
    let mut lines = Vec::new();
    for way in 0..40 {
        lines.push(line(&[key(0), key(100 + way), goal], 5));
        lines.extend(many(2, &[key(0), key(200 + way)], 6));
    }
    let book = learn(&lines, 8);
    assert_eq!(book.value(goal), Some(5));
    assert_eq!(book.positions(), 2);
}

#[test]
fn what_is_rare_takes_no_position() {
    let lines: Vec<Line<'_>> = (0..100)
        .map(|n| line(&[key(n), key(n + 1000)], n.into()))
        .collect();
    assert_eq!(
        learn(&lines, 8),
        Openings {
            bits: 12,
            ..Openings::default()
        }
    );
}

#[test]
fn plies_behind_the_last_do_not_count() {
    let mut far = keys(&(0..=50).collect::<Vec<u32>>());
    far[45] = key(999);
    let lines = [many(90, &far, 1), many(90, &keys(&[900, 901]), 2)].concat();
    let book = learn(&lines, 8);
    assert!(book.plies() <= MOST_PLIES);
    assert_eq!(book.value(key(999)), None);
    assert_eq!(book.foresee(far), Some(1));
}

#[test]
fn golden_book() {
    let book = Openings::new(4, 24, vec![(key(3), 9), (key(1), 7), (key(2), 8)]);
    let spec = include_str!("../../../spec/openings.md");
    let hex: Vec<String> = book
        .write()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let line = format!("`openings`: {}", hex.join(" "));
    assert!(spec.lines().any(|shown| shown == line), "spec lacks {line}");
}

#[test]
fn lying_books_are_refused() {
    let book = Openings::new(4, 8, vec![(key(1), 7), (key(2), 8)]).write();
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
    fn books_come_back(
        games in prop::collection::vec((prop::collection::vec(0..30u32, 0..12), 0..4u64), 0..200),
    ) {
        let lines: Vec<Line<'_>> = games.iter().map(|(numbers, value)| line(&keys(numbers), *value)).collect();
        let book = learn(&lines, 6);
        prop_assert_eq!(read(&book.write()), Ok(book.clone()));
        let mut other_way = lines.clone();
        other_way.reverse();
        prop_assert_eq!(learn(&other_way, 6), book);
    }

    #[test]
    fn any_book_is_safe(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        if let Ok(book) = read(&bytes) {
            prop_assert!(book.plies() <= MOST_PLIES);
            prop_assert!(read(&book.write()).is_ok());
        }
    }
}
