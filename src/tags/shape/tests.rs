use super::*;
use proptest::prelude::*;

fn shapes() -> Vec<Shape> {
    vec![
        Shape::Text,
        Shape::Decimal(Vec::new()),
        Shape::Decimal(b"https://example.org/".to_vec()),
        Shape::Signed {
            zero_has_sign: false,
        },
        Shape::Signed {
            zero_has_sign: true,
        },
        Shape::Date(b'.'),
        Shape::Date(b'-'),
        Shape::Time,
        Shape::Code(Vec::new()),
        Shape::Code(b"x/".to_vec()),
        Shape::Round,
    ]
}

fn comes_back(shape: &Shape, text: &[u8]) -> bool {
    let Some(number) = shape.parse(text) else {
        return false;
    };
    let mut printed = Vec::new();
    shape.print(number, &mut printed).unwrap();
    assert_eq!(printed, text, "{shape:?} {number}");
    assert_eq!(shape.number(shape.value(number)), Some(number));
    true
}

#[test]
fn texts_of_a_shape_are_numbers() {
    let plain = Shape::Decimal(Vec::new());
    let signed = |zero_has_sign| Shape::Signed { zero_has_sign };
    for (shape, text) in [
        (plain.clone(), "0"),
        (plain, "2848"),
        (Shape::Decimal(b"g/".to_vec()), "g/28453746"),
        (signed(false), "0"),
        (signed(true), "+0"),
        (signed(false), "+14"),
        (signed(false), "-999999999999999999"),
        (Shape::Date(b'.'), "2013.06.30"),
        (Shape::Date(b'-'), "1906-??-??"),
        (Shape::Date(b'.'), "????.??.??"),
        (Shape::Date(b'.'), "0000.12.31"),
        (Shape::Time, "22:05:06"),
        (Shape::Time, "99:59:59"),
        (Shape::Code(b"l/".to_vec()), "l/c1rfp1ck"),
        (Shape::Code(Vec::new()), "zzzzzzzz"),
        (Shape::Round, "4"),
        (Shape::Round, "4.1"),
        (Shape::Round, "0.0"),
    ] {
        assert!(comes_back(&shape, text.as_bytes()), "{shape:?} {text}");
    }
}

#[test]
fn other_texts_are_not() {
    let plain = Shape::Decimal(Vec::new());
    let signed = |zero_has_sign| Shape::Signed { zero_has_sign };
    for (shape, text) in [
        (Shape::Text, "1"),
        (plain.clone(), ""),
        (plain.clone(), "007"),
        (plain.clone(), "-1"),
        (plain, "1234567890123456789"),
        (signed(false), "+0"),
        (signed(false), "-0"),
        (signed(true), "0"),
        (signed(true), "14"),
        (signed(true), "+"),
        (Shape::Date(b'.'), "2013.6.30"),
        (Shape::Date(b'.'), "2013.00.30"),
        (Shape::Date(b'.'), "2013.13.30"),
        (Shape::Date(b'.'), "2013.12.32"),
        (Shape::Date(b'.'), "201?.12.31"),
        (Shape::Date(b'.'), "2013-12.31"),
        (Shape::Time, "1:00:00"),
        (Shape::Time, "10:60:00"),
        (Shape::Time, "10:00:60"),
        (Shape::Code(Vec::new()), "1234567"),
        (Shape::Code(Vec::new()), "1234567-"),
        (Shape::Round, "?"),
        (Shape::Round, "1.1.1"),
        (Shape::Round, "1.1023"),
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
        assert_eq!(Shape::read(&mut input), Ok(Some(shape)));
        assert!(input.is_empty());
    }
    assert_eq!(Shape::read(&mut ByteReader::new(&[8])), Ok(None));
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
        number in prop_oneof![0..5000u64, 0..NUMBERS, any::<u64>()],
    ) {
        for shape in shapes() {
            let mut text = Vec::new();
            if shape.print(number, &mut text).is_some() {
                prop_assert_eq!(shape.parse(&text), Some(number));
            }
        }
    }
}
