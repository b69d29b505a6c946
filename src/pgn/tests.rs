//! Records as programs format them: layouts are learned and reproduce every
//! byte.

use super::*;
use crate::bits::ByteReader;
use crate::chess::{ChessPosition, Color, Spelling};

/// Pseudo-random numbers (SplitMix64).
struct TestRandom(u64);

impl TestRandom {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ mixed >> 31) % end as u64).unwrap()
    }
}

/// A word of a movetext.
struct TestWord {
    text: String,
    /// Whether the line may be broken before it.
    is_place: bool,
    is_result: bool,
}

/// The words of a game of random moves, to be formatted by a rule.
fn words(random: &mut TestRandom, wrap: Wrap) -> Vec<TestWord> {
    let mut words = Vec::new();
    let mut add = |text: String, is_place: bool| {
        words.push(TestWord {
            text,
            is_place,
            is_result: false,
        });
    };
    let is_free = !wrap.has(Wrap::ONLY_WHITE);
    let mut position = ChessPosition::standard();
    let mut needs_number = true;
    for ply in 0..20 + random.below(60) {
        let moves = position.legal_plies();
        if moves.is_empty() {
            break;
        }
        let is_white = position.turn() == Color::White;
        let is_numbered = is_white || needs_number;
        if is_numbered {
            let dots = if is_white { "." } else { "..." };
            add(format!("{}{dots}", ply / 2 + 1), is_white || is_free);
        }
        let chosen = moves[random.below(moves.len())];
        let mut san = Vec::new();
        position
            .write(chosen, Spelling::STANDARD, &mut san)
            .unwrap();
        let is_place = match is_numbered {
            true => wrap.has(Wrap::AFTER_NUMBERS),
            false => is_free,
        };
        add(String::from_utf8(san).unwrap(), is_place);
        needs_number = random.below(8) == 0;
        if needs_number {
            let comment = ["{good}", "{the best by far}", "{what else, after all that}"];
            let comment = comment[random.below(3)];
            if wrap.has(Wrap::IN_COMMENTS) {
                let inner = comment.split(' ').enumerate();
                inner.for_each(|(number, word)| add(word.to_owned(), number > 0 || is_free));
            } else {
                add(comment.to_owned(), is_free);
            }
        }
    }
    words.push(TestWord {
        text: ["1-0", "0-1", "1/2-1/2", "*"][random.below(4)].to_owned(),
        is_place: wrap.has(Wrap::BEFORE_RESULT) && is_free,
        is_result: true,
    });
    words
}

/// Breaks the words into lines.
fn typeset(words: &[TestWord], wrap: Wrap, ending: &str) -> String {
    let width = usize::try_from(wrap.width).unwrap();
    let mut out = String::new();
    let mut column = 0;
    for (number, word) in words.iter().enumerate() {
        let after = words[number + 1..]
            .iter()
            .take_while(|word| !word.is_place && !word.is_result);
        let chunk = after.fold(word.text.len(), |len, word| len + 1 + word.text.len());
        let is_broken = word.is_place
            && match wrap.mode {
                WrapMode::None => false,
                WrapMode::Fit => column + 1 + chunk > width,
                WrapMode::Reach => column >= width,
            };
        if is_broken {
            out += if wrap.has(Wrap::KEEP_BLANK) { " " } else { "" };
            out += ending;
            column = 0;
        } else if number > 0 {
            out.push(' ');
            column += 1;
        }
        out += &word.text;
        column += word.text.len();
    }
    out
}

fn record(random: &mut TestRandom, wrap: Wrap, ending: &str) -> String {
    let name = ["Anderssen", "Morphy, Paul", "?"][random.below(3)];
    let head = format!("[Event \"{name}\"]{ending}[Site \"\"]{ending}{ending}");
    head + &typeset(&words(random, wrap), wrap, ending) + ending + ending
}

/// The layouts that are learned from records, and the layout of each record.
fn learn(records: &[String]) -> (Vec<Layout>, Vec<Option<u8>>) {
    let mut learner = LayoutLearner::default();
    let groups = records.iter().map(|record| {
        let lexemes: Vec<Lexeme> = Scanner::new(record.as_bytes()).collect();
        learner.assign(record.as_bytes(), &lexemes)
    });
    let groups: Vec<Option<u16>> = groups.collect();
    let learned = learner.finish();
    let of = groups.into_iter().map(|group| learned.layout_of(group));
    let of = of.collect();
    (learned.layouts, of)
}

/// Encodes a record with a layout; returns the patch.
fn patch_of(record: &str, layout: &Layout) -> Vec<u8> {
    let lexemes: Vec<Lexeme> = Scanner::new(record.as_bytes()).collect();
    let parsed = parse(record.as_bytes(), &lexemes);
    let encoded = encode(record.as_bytes(), &parsed, layout).unwrap();
    let len = record.len();
    let render = |max_bytes| render(&encoded.tree, layout, &encoded.patch, max_bytes);
    assert_eq!(render(len).unwrap(), record.as_bytes());
    assert!(render(len - 1).is_err());
    let mut patch = Vec::new();
    encoded.patch.write(&mut patch);
    assert_eq!(Patch::read(&patch).unwrap(), encoded.patch);
    assert_eq!(encoded.patch.is_empty(), patch.is_empty());
    patch
}

/// Every rule that line breaks distinguish.
fn rules() -> Vec<Wrap> {
    let mut rules = vec![Wrap::NONE];
    for mode in [WrapMode::Fit, WrapMode::Reach] {
        for places in 0..2 * Wrap::KEEP_BLANK {
            let wrap = Wrap {
                mode,
                flags: places,
                width: 40 + u32::from(places),
            };
            let others = Wrap::AFTER_NUMBERS | Wrap::BEFORE_RESULT;
            let is_twofold = wrap.has(Wrap::ONLY_WHITE) && wrap.has(others);
            if !is_twofold {
                rules.push(wrap);
            }
        }
    }
    rules
}

#[test]
fn each_rule_is_learned() {
    for (number, wrap) in rules().into_iter().enumerate() {
        let mut random = TestRandom(number as u64);
        let ending = ["\n", "\r\n"][number % 2];
        let records: Vec<String> = (0..12).map(|_| record(&mut random, wrap, ending)).collect();
        let (layouts, of) = learn(&records);
        assert_eq!(layouts.len(), 1, "{wrap:?}");
        assert_eq!(of, [Some(0); 12], "{wrap:?}");
        for record in &records {
            assert!(
                patch_of(record, &layouts[0]).is_empty(),
                "{wrap:?} {record}"
            );
        }
    }
}

#[test]
fn mixed_rules_are_separated() {
    let wraps = [Wrap::NONE, rules()[1], rules()[9]];
    let mut random = TestRandom(7);
    let records = (0..30).map(|number| record(&mut random, wraps[number % 3], "\n"));
    let records: Vec<String> = records.collect();
    let (layouts, of) = learn(&records);
    assert_eq!(layouts.len(), 3);
    for (number, record) in records.iter().enumerate() {
        assert_eq!(of[number], of[number % 3]);
        let layout = &layouts[usize::from(of[number].unwrap())];
        assert!(patch_of(record, layout).is_empty());
    }
}

#[test]
fn differences_from_the_layout_are_patched() {
    let wrap = rules()[1];
    let mut random = TestRandom(3);
    let records: Vec<String> = (0..12).map(|_| record(&mut random, wrap, "\n")).collect();
    let layout = learn(&records).0.remove(0);
    let mut patched = 0;
    for _ in 0..300 {
        let mut record = record(&mut random, wrap, "\n");
        let blanks: Vec<usize> = record.match_indices(' ').map(|(at, _)| at).collect();
        let at = blanks[random.below(blanks.len())];
        let separator = ["\n", "  ", "\t", " \n", "\n\n "][random.below(5)];
        record.replace_range(at..=at, separator);
        patched += usize::from(!patch_of(&record, &layout).is_empty());
    }
    assert!(patched > 200, "{patched}");
}

#[test]
fn layouts_are_read_as_they_were_written() {
    for (number, wrap) in rules().into_iter().enumerate() {
        let mut random = TestRandom(number as u64);
        let records: Vec<String> = (0..3).map(|_| record(&mut random, wrap, "\n")).collect();
        let layout = learn(&records).0.remove(0);
        let mut bytes = Vec::new();
        layout.write(&mut bytes);
        let mut input = ByteReader::new(&bytes);
        assert_eq!(Layout::read(&mut input).unwrap(), Some(layout));
        assert!(input.is_empty());
        for len in 0..bytes.len() {
            let cut = Layout::read(&mut ByteReader::new(&bytes[..len]));
            assert!(!matches!(cut, Ok(Some(_))));
        }
    }
}

#[test]
fn templates_are_short() {
    let read = |len: usize| {
        let mut bytes = vec![0, 0, 0, 0, 1, 0];
        crate::bits::put_bytes(&mut bytes, &vec![b' '; len]);
        Layout::read(&mut ByteReader::new(&bytes)).unwrap()
    };
    assert!(read(MAX_TEMPLATE_BYTES).is_some());
    assert!(read(MAX_TEMPLATE_BYTES + 1).is_none());
}

#[test]
fn marks_are_read_as_they_were_written() {
    let mut marks = vec![
        Mark::Comment,
        Mark::LineComment,
        Mark::Null,
        Mark::Open,
        Mark::Close,
        Mark::Verbatim,
    ];
    marks.extend([0, 1, 139, 255].map(Mark::Nag));
    marks.extend((1..=6).map(Mark::Glyph));
    marks.extend((0..=3).map(Mark::Result));
    let mut first = std::collections::BTreeSet::new();
    for mark in marks {
        let mut bytes = Vec::new();
        mark.write(&mut bytes);
        first.insert(bytes[0]);
        let mut input = ByteReader::new(&bytes);
        assert_eq!(Mark::read(&mut input).unwrap(), Some(mark));
        assert!(input.is_empty());
    }
    for byte in (0..=255).filter(|byte| !first.contains(byte)) {
        let none = Mark::read(&mut ByteReader::new(&[byte, 0]));
        assert_eq!(none.unwrap(), None, "{byte}");
    }
}
