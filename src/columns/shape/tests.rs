use super::*;
use proptest::prelude::*;

fn shapes() -> Vec<TextShape> {
    vec![
        TextShape::Text,
        TextShape::Decimal(Vec::new()),
        TextShape::Decimal(b"https://example.org/".to_vec()),
        TextShape::Date(b'.'),
        TextShape::Date(b'-'),
        TextShape::Time,
        TextShape::Code(Vec::new()),
        TextShape::Code(b"x/".to_vec()),
        TextShape::Round,
    ]
}

fn comes_back(shape: &TextShape, text: &[u8]) -> bool {
    let Some(number) = shape.parse(text) else {
        return false;
    };
    let mut printed = Vec::new();
    shape.print(number, &mut printed).unwrap();
    assert_eq!(printed, text, "{shape:?} {number}");
    assert!(number < NUMBER_BOUND, "{shape:?} {number}");
    true
}

#[test]
fn texts_of_a_shape_are_numbers() {
    let plain = TextShape::Decimal(Vec::new());
    for (shape, text) in [
        (plain.clone(), "0"),
        (plain, "2848"),
        (TextShape::Decimal(b"g/".to_vec()), "g/28453746"),
        (TextShape::Date(b'.'), "2013.06.30"),
        (TextShape::Date(b'-'), "1906-??-??"),
        (TextShape::Date(b'.'), "????.??.??"),
        (TextShape::Date(b'.'), "0000.12.31"),
        (TextShape::Time, "22:05:06"),
        (TextShape::Time, "99:59:59"),
        (TextShape::Code(b"l/".to_vec()), "l/c1rfp1ck"),
        (TextShape::Code(Vec::new()), "zzzzzzzz"),
        (TextShape::Round, "4"),
        (TextShape::Round, "4.1"),
        (TextShape::Round, "0.0"),
    ] {
        assert!(comes_back(&shape, text.as_bytes()), "{shape:?} {text}");
    }
}

#[test]
fn other_texts_are_not() {
    let plain = TextShape::Decimal(Vec::new());
    for (shape, text) in [
        (TextShape::Text, "1"),
        (plain.clone(), ""),
        (plain.clone(), "007"),
        (plain.clone(), "-1"),
        (plain, "1234567890123456789"),
        (TextShape::Date(b'.'), "2013.6.30"),
        (TextShape::Date(b'.'), "2013.00.30"),
        (TextShape::Date(b'.'), "2013.13.30"),
        (TextShape::Date(b'.'), "2013.12.32"),
        (TextShape::Date(b'.'), "201?.12.31"),
        (TextShape::Date(b'.'), "2013-12.31"),
        (TextShape::Time, "1:00:00"),
        (TextShape::Time, "10:60:00"),
        (TextShape::Time, "10:00:60"),
        (TextShape::Code(Vec::new()), "1234567"),
        (TextShape::Code(Vec::new()), "1234567-"),
        (TextShape::Round, "?"),
        (TextShape::Round, "1.1.1"),
        (TextShape::Round, "1.1023"),
    ] {
        assert!(!comes_back(&shape, text.as_bytes()), "{shape:?} {text}");
    }
}

#[test]
fn shapes_come_back() {
    for shape in shapes() {
        let mut out = Vec::new();
        shape.write(&mut out);
        let mut input = ByteReader::new(&out);
        assert_eq!(TextShape::read(&mut input), Ok(Some(shape)));
        assert!(input.is_empty());
    }
    assert_eq!(TextShape::read(&mut ByteReader::new(&[6])), Ok(None));
}

proptest! {
    #[test]
    fn any_text_is_printed_as_it_was(
        text in "[0-9+.:?/-]{0,12}|[0-9]{2}:[0-5][0-9]:[0-5][0-9]|[0-9A-Za-z]{8}|.*",
    ) {
        for shape in shapes() {
            comes_back(&shape, text.as_bytes());
        }
    }

    #[test]
    fn any_number_that_is_printed_is_that_of_its_text(
        number in prop_oneof![0..5000u64, 0..NUMBER_BOUND, any::<u64>()],
    ) {
        for shape in shapes() {
            let mut text = Vec::new();
            if shape.print(number, &mut text).is_some() {
                prop_assert_eq!(shape.parse(&text), Some(number));
            }
        }
    }
}
