//! Arbitrary bytes as the notation of a segment, its distributions, and the marks of a record: no
//! panic, and decoded marks round-trip.

use pgna::Limits;
use pgna::internals::annotation::{Bounds, Notation, TemplateCounts, TimeControl};

const BOUNDS: Bounds = Bounds { marks: 4096 };

pub(super) fn check(data: &[u8]) {
    let Some(([plies, shapes, distributions, bits, has_time], data)) =
        data.split_first_chunk::<5>()
    else {
        return;
    };
    let (shapes, data) = data.split_at(usize::from(*shapes).min(data.len()));
    let (distributions, data) = data.split_at(usize::from(*distributions).min(data.len()));
    let (bits, prose) = data.split_at(usize::from(*bits).min(data.len()));
    templates(prose);
    let Ok(notation) = Notation::read(shapes, distributions, &[], &Limits::default()) else {
        return;
    };
    let control = [(&b"TimeControl"[..], &b"180+2"[..])];
    let controls = control.into_iter().filter(|_| has_time % 2 == 1);
    let time = TimeControl::of_tags(controls);
    let plies = usize::from(*plies);
    let Ok(items) = notation.read_marks(bits, prose, plies, time, BOUNDS) else {
        return;
    };
    assert!(notation.measure(bits, prose, plies, time, BOUNDS).is_ok());
    for (_, item) in items.clone() {
        let _ = item.node(notation.templates());
    }
    if let Some(written) = notation.write(plies, &items, time) {
        let again = notation.read_marks(&written.bits, &written.prose, plies, time, BOUNDS);
        assert_eq!(again, Ok(items));
    }
}

/// A text that matches a template is reproduced by it.
fn templates(text: &[u8]) {
    let mut counts = TemplateCounts::default();
    (0..20).for_each(|_| counts.add(text));
    let templates = counts.finish();
    if let Some((number, values)) = templates.find(text) {
        let printed = templates
            .get(number)
            .and_then(|template| template.print(&values));
        assert_eq!(printed.as_deref(), Some(text));
    }
}
