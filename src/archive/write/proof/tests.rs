//! Blocks whose moves, traces or tables are damaged after the games have been encoded.

use super::*;
use crate::archive::fs::names::TakenNames;
use crate::archive::options::PackOptions;
use crate::archive::schema::registry::ADAPTATION;
use crate::archive::tables::SegmentTables;
use crate::archive::tables::dictionaries::Dictionaries;
use crate::archive::write::block_encoder::RecordEncoder;
use crate::archive::write::planned_columns::Plans;
use crate::archive::write::segment_fit::SegmentFit;
use crate::archive::write::source_reader::{SegmentText, SourceReader};
use crate::archive::write::stored_segment::{RecordsRest, StoredSegment};
use crate::chess::PlyKind;
use crate::container::Tables;
use crate::limits::Limits;
use crate::model::BuiltinModel;
use crate::moves::Codec;
use std::fmt::Write;

/// A game with a variation, a null move and, in each comment, a line of moves that nobody plays.
fn game(tags: &str, result: &str) -> String {
    let mut text = format!("[Event \"?\"]\n{tags}[Result \"{result}\"]\n\n");
    let plies = "a4 h5 Na3 Nh6 h4 a5 Rh3 Ra6 Rg3 Rb6 f3 f6";
    for (at, ply) in plies.split(' ').enumerate() {
        let (number, line) = match at % 2 {
            0 => (format!("{}. ", at / 2 + 1), "c6 c3 d6"),
            _ => (String::new(), "c3 c6 d3"),
        };
        write!(text, "{number}{ply} {{d={}, pv={line}, tb=0}} ", 10 + at).expect("text");
    }
    text + "7. b3 (7. b4 axb4 8. c3) 7... d6 8. -- e6 " + result + "\n\n"
}

fn games(count: usize) -> String {
    let tags = ["", "[WhiteElo \"2500\"]\n", FEN];
    let all = (0..count).map(|number| game(tags[number % tags.len()], "1-0"));
    all.collect()
}

/// The usual start position without a pawn.
const FEN: &str =
    "[SetUp \"1\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1\"]\n";

fn segment(text: &str) -> SegmentText {
    let mut reader = SourceReader::new(1 << 20, TakenNames::default());
    reader.open("games.pgn").expect("a name");
    reader.read(&mut text.as_bytes()).expect("text");
    reader.finish().0.expect("records")
}

/// A block of all records of a segment.
struct Block<'b> {
    encoder: BlockEncoder<'b, 'b>,
    encoded: EncodedBlock,
    traces: RecordTraces,
}

impl Block<'_> {
    fn records(&self) -> &[Record] {
        &self.encoder.encoder.segment.records
    }

    /// The indexes of the records that their traces do not confirm.
    fn unconfirmed(&self) -> Vec<usize> {
        let all = (0..self.records().len()).collect();
        self.encoder
            .unconfirmed(self.records(), &self.encoded, self.traces.clone(), all)
    }

    /// The indexes of the records that are not proven. They are the same without traces.
    fn unproven(&self) -> Vec<usize> {
        let prove = |traces| self.encoder.unproven(self.records(), &self.encoded, traces);
        let unproven = prove(self.traces.clone());
        assert_eq!(unproven, prove(RecordTraces::new()));
        unproven
    }
}

/// Encodes a text, changes what it is encoded to, and makes a block of it. Tables of the block for
/// which `has_table` is false are left out.
fn with_block<T>(
    text: &str,
    model: BuiltinModel,
    has_table: impl Fn(&crate::container::Table<'_>) -> bool,
    change: impl FnOnce(&mut [StoredRecord<'_>], &mut RecordTraces),
    see: impl FnOnce(&Block<'_>) -> T,
) -> T {
    let segment = segment(text);
    let options = PackOptions {
        codecs: vec![Codec::Model],
        model: model.into(),
        ..PackOptions::default()
    };
    let limits = Limits::default();
    let fit = SegmentFit::new(&segment, &options, &mut || ());
    let (dictionaries, plans) = (Dictionaries::default(), Plans::default());
    let of_encoder = fit.tables(&dictionaries, &plans).expect("tables");
    let mut of_block = Tables::default();
    for table in of_encoder.iter().filter(|table| has_table(table)) {
        let pushed = of_block.push(table.kind, table.key, table.bytes);
        pushed.expect("a table");
    }
    let parse = |tables| SegmentTables::parse(tables, &|_| Ok(None), &limits).expect("tables");
    let (of_encoder, of_block) = (parse(&of_encoder), parse(&of_block));
    let encoder = RecordEncoder {
        segment: &segment,
        survey: &fit.survey,
        tables: &of_encoder,
        codecs: &options.codecs,
        mixes_prose: false,
        wants_moves: false,
    };
    let all = 0..segment.records.len();
    let stored = StoredSegment::encode(&encoder, false, &mut |_| ());
    let StoredSegment { mut records, rest } = stored;
    let RecordsRest { mut traces, .. } = rest;
    change(&mut records, &mut traces);
    let encoder = BlockEncoder {
        encoder: &encoder,
        tables: Arc::new(of_block),
        stored: &records,
        ids: &dictionaries.ids,
        plans: &plans,
    };
    let prose = encoder.prose(&all).expect("prose");
    let encoded = encoder.encode(&all, &prose).expect("a block");
    see(&Block {
        encoder,
        encoded,
        traces,
    })
}

fn with_all_tables<T>(
    text: &str,
    change: impl FnOnce(&mut [StoredRecord<'_>], &mut RecordTraces),
    see: impl FnOnce(&Block<'_>) -> T,
) -> T {
    with_block(text, BuiltinModel::Fast, |_| true, change, see)
}

/// The trace of a record, to change it.
fn trace(traces: &mut RecordTraces, record: usize) -> &mut GameTrace {
    Arc::make_mut(traces[record].as_mut().expect("a trace"))
}

#[test]
fn all_but_one_record_in_32_have_traces_that_confirm_them() {
    with_all_tables(
        &games(70),
        |_, _| (),
        |block| {
            assert!(block.unconfirmed().is_empty());
            assert!(block.unproven().is_empty());
            let without = (0..70).filter(|record| block.traces[*record].is_none());
            assert_eq!(without.collect::<Vec<_>>(), [0, 32, 64]);
            let trace = block.traces[1].as_ref().expect("a trace");
            let mut steps = trace.moves.steps.reader();
            let ply = PlyKind::from_bits(u16::from_le_bytes(steps.step().expect("a ply")));
            assert_ne!(ply.expect("a ply"), PlyKind::Null);
            assert!(!trace.lines.steps.reader().is_empty());
        },
    );
}

/// The moves of records with traces, and of record 0, which is decoded in full.
#[test]
fn damaged_moves_are_found() {
    let text = games(4);
    let bytes_of = |lines: bool, record: usize| {
        let mut bytes = 0;
        let count = |records: &mut [StoredRecord<'_>], _: &mut RecordTraces| {
            let movetext = &records[record].movetext;
            bytes = [&movetext.moves, &movetext.lines][usize::from(lines)].len();
        };
        with_all_tables(&text, count, |_| ());
        bytes
    };
    for (record, lines) in [
        (0, false),
        (1, false),
        (2, false),
        (3, false),
        (0, true),
        (2, true),
    ] {
        let bytes = bytes_of(lines, record);
        assert!(bytes > 3, "{bytes} bytes");
        for (at, flip) in (0..bytes).step_by(3).flat_map(|at| [(at, 1), (at, 128)]) {
            let damage = |records: &mut [StoredRecord<'_>], _: &mut RecordTraces| {
                let movetext = &mut records[record].movetext;
                let stream = match lines {
                    true => &mut movetext.lines,
                    false => &mut movetext.moves,
                };
                stream.to_mut()[at] ^= flip;
            };
            with_all_tables(&text, damage, |block| {
                assert_eq!(block.unconfirmed(), [record], "byte {at}, {flip}");
                assert_eq!(block.unproven(), [record]);
            });
        }
    }
}

#[test]
fn damaged_records_are_stored_verbatim() {
    let damage = |records: &mut [StoredRecord<'_>], _: &mut RecordTraces| {
        records[2].movetext.moves.to_mut()[1] ^= 1;
    };
    with_all_tables(&games(4), damage, |block| {
        let verify = |traces| {
            let (range, prose) = (0..4, block.encoder.prose(&(0..4)).expect("prose"));
            let encoded = block.encoder.encode(&range, &prose).expect("a block");
            let verified = block.encoder.verify(&range, encoded, traces);
            verified.expect("a block")
        };
        let verified = verify(block.traces.clone());
        assert_eq!(verified.packed, verify(RecordTraces::new()).packed);
        assert_ne!(verified.packed, block.encoded.packed);
        assert_eq!(verified.report.rests.values().sum::<u64>(), 1);
    });
}

/// With a damaged trace, a record is decoded in full, unless the damage is so small that the bytes
/// are those of its shares too. It never makes up for damaged bytes.
#[test]
fn damaged_traces_prove_nothing() {
    let text = games(3);
    for lines in [false, true] {
        let mut bytes = 0;
        let count = |_: &mut [StoredRecord<'_>], traces: &mut RecordTraces| {
            let trace = trace(traces, 1);
            let trace = if lines {
                &mut trace.lines
            } else {
                &mut trace.moves
            };
            bytes = trace.steps.bytes_mut().len();
        };
        with_all_tables(&text, count, |_| ());
        let mut confirmed = 0;
        for at in (0..bytes).step_by(3) {
            let damage_trace = |traces: &mut RecordTraces| {
                let trace = trace(traces, 1);
                let trace = if lines {
                    &mut trace.lines
                } else {
                    &mut trace.moves
                };
                trace.steps.bytes_mut()[at] ^= 32;
            };
            with_all_tables(
                &text,
                |_, traces| damage_trace(traces),
                |block| {
                    confirmed += usize::from(block.unconfirmed().is_empty());
                    assert!(block.unproven().is_empty());
                },
            );
            let damage_both = |records: &mut [StoredRecord<'_>], traces: &mut RecordTraces| {
                damage_trace(traces);
                let movetext = &mut records[1].movetext;
                let stream = if lines {
                    &mut movetext.lines
                } else {
                    &mut movetext.moves
                };
                *stream.to_mut().last_mut().expect("bytes") ^= 16;
            };
            with_all_tables(&text, damage_both, |block| {
                assert_eq!(block.unproven(), [1])
            });
        }
        assert!(6 * confirmed < bytes, "{confirmed} of {bytes}");
    }
}

#[test]
fn a_trace_of_more_steps_confirms_nothing() {
    for lines in [false, true] {
        let lengthen = |_: &mut [StoredRecord<'_>], traces: &mut RecordTraces| {
            let trace = trace(traces, 1);
            let trace = if lines {
                &mut trace.lines
            } else {
                &mut trace.moves
            };
            trace.steps.push(&[0]);
        };
        with_all_tables(&games(3), lengthen, |block| {
            assert_eq!(block.unconfirmed(), [1]);
            assert!(block.unproven().is_empty());
        });
    }
}

/// Gives record 1 of `text` the moves of record 1 of `other`, with their trace: bytes and trace
/// agree, but the decoder has other inputs than the encoder.
fn assert_inputs_matter(text: &str, other: (&str, BuiltinModel)) {
    let mut taken = None;
    let take = |records: &mut [StoredRecord<'_>], traces: &mut RecordTraces| {
        let movetext = &records[1].movetext;
        let streams = [&movetext.moves, &movetext.lines].map(|stream| stream.to_vec());
        taken = Some((streams, traces[1].clone()));
    };
    with_block(
        other.0,
        other.1,
        |_| true,
        take,
        |block| {
            assert!(block.unconfirmed().is_empty());
        },
    );
    let ([moves, lines], trace) = taken.expect("a record");
    let give = |records: &mut [StoredRecord<'_>], traces: &mut RecordTraces| {
        let movetext = &mut records[1].movetext;
        assert_ne!(movetext.moves, moves);
        (movetext.moves, movetext.lines) = (moves.into(), lines.into());
        traces[1] = trace;
    };
    with_all_tables(text, give, |block| {
        assert_eq!(block.unconfirmed(), [1]);
        assert_eq!(block.unproven(), [1]);
    });
}

#[test]
fn a_trace_of_other_inputs_confirms_nothing() {
    let texts = |tags: &str, result: &str| game("", "1-0") + &game(tags, result);
    let text = texts("", "1-0");
    for other in [
        texts("[WhiteElo \"2500\"]\n", "1-0"),
        texts("[BlackElo \"1100\"]\n", "1-0"),
        texts("", "0-1"),
        texts(FEN, "1-0"),
        texts("", "1-0").replace("d6 8. -- e6 1-0", "d6 8. -- 1-0"),
    ] {
        assert_inputs_matter(&text, (&other, BuiltinModel::Fast));
    }
    assert_inputs_matter(&text, (&text, BuiltinModel::Default));
}

/// The encoder has an adaptation that the decoder lacks.
#[test]
fn a_trace_of_other_adaptations_confirms_nothing() {
    let text =
        "[Event \"?\"]\n\n1. a4 h5 2. Na3 Nh6 3. h4 a5 4. Rh3 Ra6 5. Rg3 Rb6 *\n\n".repeat(300);
    with_all_tables(
        &text,
        |_, _| (),
        |block| assert!(block.unproven().is_empty()),
    );
    let has_table = |table: &crate::container::Table<'_>| table.kind != ADAPTATION;
    with_block(
        &text,
        BuiltinModel::Fast,
        has_table,
        |_, _| (),
        |block| {
            let all: Vec<usize> = (0..300).collect();
            assert_eq!(block.unconfirmed(), all);
            assert_eq!(block.unproven(), all);
        },
    );
}
