//! Coding of the marks of movetexts: round trips, the worked example of the specification, and
//! invalid input.

use crate::examples;
use pgna::Limits;
use pgna::internals::annotation::{
    Bounds, FieldContent, Item, Items, Notation, NotationBytes, NotationFit, PatternCounts,
    TemplateCounts, TemplateField, TimeControl,
};
use pgna::internals::pgn::Mark;
use proptest::prelude::*;

const ANNOTATIONS: &str = include_str!("../../spec/annotations.md");

fn assert_shown(name: &str, bytes: &[u8]) {
    examples::assert_shown(ANNOTATIONS, name, bytes);
}

/// A mark, with comments as text. Moves in comments are coded separately.
#[derive(Debug, Clone)]
enum Written {
    Comment(String),
    Line(String),
    Verbatim(String),
    Mark(Mark),
}

fn items<'t>(marks: &'t [(usize, Written)], notation: &Notation) -> Items<'t> {
    let item = |mark: &'t Written| match mark {
        Written::Comment(text) => Item::comment(text.as_bytes(), notation.templates()),
        Written::Line(text) => Item::LineComment(text.as_bytes().into()),
        Written::Verbatim(text) => Item::Verbatim(text.as_bytes().into()),
        Written::Mark(mark) => Item::Mark(*mark),
    };
    marks.iter().map(|(at, mark)| (*at, item(mark))).collect()
}

/// The items as the mark coder returns them: with empty text in place of moves in comments.
fn without_moves<'t>(items: &Items<'t>, notation: &Notation) -> Items<'t> {
    let mut items = items.clone();
    for (_, item) in &mut items {
        let Item::Note(note) = item else { continue };
        let template = notation.templates().get(note.template).unwrap();
        for (field, value) in template.fields().zip(&mut note.values) {
            if *field == TemplateField::Moves {
                *value = FieldContent::Text(b"".into());
            }
        }
    }
    items
}

/// The notation fitted to `records` records with these marks.
fn fit(
    plies: usize,
    marks: &[(usize, Written)],
    time: TimeControl,
    records: usize,
) -> NotationBytes {
    let mut templates = TemplateCounts::default();
    for _ in 0..records {
        for (_, mark) in marks {
            if let Written::Comment(text) = mark {
                templates.add(text.as_bytes());
            }
        }
    }
    let mut fit = NotationFit::new(templates);
    let seen = items(marks, fit.notation());
    let mut patterns = PatternCounts::default();
    (0..records).for_each(|_| patterns.add(plies, &seen));
    fit.take_patterns(patterns);
    let values = fit.values(&seen, time);
    let mut products = fit.products();
    (0..records).for_each(|_| products.add(fit.notation(), &values));
    fit.take_products(&products);
    for step in [NotationFit::references, NotationFit::weights] {
        let mut schemes = step(&fit);
        (0..records).for_each(|_| schemes.add(fit.notation(), &values));
        fit.take_schemes(&schemes, 1);
    }
    let mut tally = fit.tally();
    (0..records).for_each(|_| fit.count(&mut tally, plies, &seen, time));
    fit.finish(&tally)
}

fn open(bytes: &NotationBytes) -> Notation {
    Notation::read(&bytes.shapes, &bytes.distributions, &[], &Limits::default()).unwrap()
}

fn comment(at: usize, text: &str) -> (usize, Written) {
    (at, Written::Comment(text.to_owned()))
}

const BOUNDS: Bounds = Bounds { marks: 10_000 };

fn three_minutes() -> TimeControl {
    TimeControl::of_tags([(&b"TimeControl"[..], &b"180+2"[..])].into_iter())
}

#[test]
fn the_spec_example_matches() {
    let marks = [
        comment(1, "[%clk 0:03:00]"),
        comment(2, "[%clk 0:03:00]"),
        comment(3, "[%clk 0:03:01]"),
        (4, Written::Mark(Mark::Glyph(2))),
        comment(4, "[%clk 0:02:35]"),
        comment(4, "Too hasty."),
    ];
    let time = three_minutes();
    let bytes = fit(4, &marks, time, 5);
    assert_shown("notation", &bytes.shapes);
    assert_shown("notation-distributions", &bytes.distributions);
    let notation = open(&bytes);
    let other = [marks[0].clone(), marks[2].clone(), comment(3, "Why?")];
    let seen = items(&other, &notation);
    let written = notation.write(4, &seen, time).unwrap();
    assert_shown("marks", &written.bits);
    assert_eq!(written.prose, b"Why?}");
    let read = notation.read_marks(&written.bits, b"Why?}", 4, time, BOUNDS);
    assert_eq!(read, Ok(seen));
}

#[test]
fn inconsistent_marks_are_refused() {
    let marks = [
        comment(0, "prose"),
        comment(2, "+0.5/12"),
        comment(2, "+0.5/12"),
    ];
    let time = TimeControl::default();
    let notation = Notation::default();
    let seen = items(&marks, &notation);
    let written = notation.write(3, &seen, time).unwrap();
    let read = |bits: &[u8], prose: &[u8], plies, marks| {
        let items = notation.read_marks(bits, prose, plies, time, Bounds { marks });
        items.map(|items| items.len())
    };
    let (bits, prose) = (&written.bits[..], &written.prose[..]);
    assert_eq!(read(bits, prose, 3, 3), Ok(3));
    assert!(read(bits, prose, 3, 2).is_err());
    assert!(read(bits, &prose[1..], 3, 3).is_ok());
    assert!(read(bits, &prose[..prose.len() - 1], 3, 3).is_err());
    assert!(read(bits, &[prose, b"x}"].concat(), 3, 3).is_err());
    assert!(read(&[bits, &[0]].concat(), prose, 3, 3).is_err());
    let with_brace = [comment(0, "a}b")];
    assert_eq!(
        notation.write(1, &items(&with_brace, &notation), time),
        None
    );
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[-+x-z0-9.:#M]{0,9}",
        "\\[%clk [0-9]:[0-5][0-9]:[0-5][0-9](\\.[0-9])?\\]",
        "\\[%eval -?[0-9]{1,2}\\.[0-9]{1,2}\\]",
        "\\[%eval #-?[1-9]\\]",
        "[-+][0-9]\\.[0-9][0-9]/[1-9][0-9] [1-9]s",
        "\\[%cal [GR][a-h][1-8][a-h][1-8](,B[a-h][1-8][a-h][1-8])?\\]",
    ]
}

fn mark() -> impl Strategy<Value = Written> {
    prop_oneof![
        4 => text().prop_map(Written::Comment),
        1 => "[ -~]{0,9}".prop_map(Written::Line),
        1 => "[ -~\n]{0,9}".prop_map(Written::Verbatim),
        1 => any::<u8>().prop_map(|nag| Written::Mark(Mark::Nag(nag))),
        1 => (1u8..=6).prop_map(|nag| Written::Mark(Mark::Glyph(nag))),
        1 => (0u8..4).prop_map(|number| Written::Mark(Mark::Result(number))),
        1 => Just(Written::Mark(Mark::Null)),
        1 => Just(Written::Mark(Mark::Open)),
        1 => Just(Written::Mark(Mark::Close)),
    ]
}

fn movetext() -> impl Strategy<Value = (usize, Vec<(usize, Written)>)> {
    let groups = prop::collection::vec(prop::collection::vec(mark(), 0..4), 1..30);
    groups.prop_map(|groups| {
        let plies = groups.len() - 1;
        let numbered = groups.into_iter().enumerate();
        let marks = numbered.flat_map(|(at, group)| group.into_iter().map(move |mark| (at, mark)));
        (plies, marks.collect())
    })
}

proptest! {
    #[test]
    fn marks_round_trip(
        (plies, marks) in movetext(),
        (other_plies, others) in movetext(),
        has_time: bool,
        records in 1usize..20,
    ) {
        let time = if has_time { three_minutes() } else { TimeControl::default() };
        let bytes = fit(plies, &marks, time, records);
        let notation = open(&bytes);
        for (plies, marks) in [(plies, &marks), (other_plies, &others)] {
            let seen = items(marks, &notation);
            let written = notation.write(plies, &seen, time).expect("marks");
            let read = notation.read_marks(&written.bits, &written.prose, plies, time, BOUNDS);
            prop_assert_eq!(read, Ok(without_moves(&seen, &notation)));
            let measured = notation.measure(&written.bits, &written.prose, plies, time, BOUNDS);
            let measured = measured.expect("marks");
            let parts = [measured.layout, measured.clocks, measured.evals, measured.numbers, measured.squares];
            let cost: u64 = parts.iter().map(|part| part.cost).sum();
            prop_assert!(written.bits.len() as u64 <= cost / 8192 + 2);
            for ((_, item), (_, mark)) in seen.into_iter().zip(marks) {
                if let Written::Comment(text) = mark {
                    let node = item.node(notation.templates()).expect("a node");
                    prop_assert_eq!(node, pgna::internals::pgn::Node::Comment(text.as_bytes().into()));
                }
            }
        }
    }

    #[test]
    fn arbitrary_bytes_do_not_panic(
        (plies, marks) in movetext(),
        shapes: Vec<u8>,
        bits: Vec<u8>,
        prose: Vec<u8>,
    ) {
        let _ = Notation::read(&shapes, &bits, &[], &Limits::default());
        let _ = Notation::read(&[], &[], &bits, &Limits::default());
        let notation = open(&fit(plies, &marks, three_minutes(), 9));
        let _ = notation.read_marks(&bits, &prose, plies, three_minutes(), BOUNDS);
    }
}
