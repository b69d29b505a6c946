//! The properties that the targets check.

mod annotations;
mod archive_read;
mod archive_roundtrip;
mod bit_reader;
mod columns;
mod container_open;
mod distributions;
mod expressions;
mod fields;
mod huffman_tree;
mod indexes;
mod lines;
mod lines_decode;
mod mmap_vs_slice;
mod model_decode;
mod model_file;
mod model_moves;
mod moves;
mod moves_agree;
mod openings;
mod packing_agrees;
mod parse_agrees;
mod position;
mod prose;
mod queries;
mod queries_agree;
mod range_coder;
mod recover;
mod scoutfish;
mod split_lossless;
mod xiangqi;
mod zstd_agrees;

use pgna::Codec;
use pgna::internals::position::PositionCode;
use pgna::internals::xiangqi::XiangqiCode;

/// Checks a property on an input, and panics if it does not hold.
pub type Target = fn(&[u8]);

/// All targets, with the names of their programs.
pub const TARGETS: &[(&str, Target)] = &[
    ("annotations", annotations::check),
    ("archive_read", archive_read::check),
    ("archive_roundtrip", archive_roundtrip::check),
    ("base13_decode", |input| {
        position::check(PositionCode::Base13, input)
    }),
    ("bit_reader", bit_reader::check),
    ("columns", columns::check),
    ("combined_decode", |input| {
        position::check(PositionCode::Combined, input)
    }),
    ("container_open", container_open::check),
    ("difference_decode", |input| {
        position::check(PositionCode::Difference, input)
    }),
    ("expressions", expressions::check),
    ("fields", fields::check),
    ("distributions", distributions::check),
    ("game_decode", |input| {
        position::check(PositionCode::Game, input)
    }),
    ("huffman_decode", |input| {
        moves::check_one_of(&[Codec::Huffman, Codec::HuffmanElided], input)
    }),
    ("huffman_index_decode", |input| {
        moves::check_one_of(&[Codec::HuffmanIndex, Codec::HuffmanIndexElided], input)
    }),
    ("huffman_static_decode", |input| {
        position::check(PositionCode::HuffmanStatic, input)
    }),
    ("huffman_tree", huffman_tree::check),
    ("indexes", indexes::check),
    ("lines_decode", lines_decode::check),
    ("mixed_base_decode", |input| {
        position::check(PositionCode::MixedBase, input)
    }),
    ("mmap_vs_slice", mmap_vs_slice::check),
    ("model_codec_decode", moves::check_model),
    ("model_decode", model_decode::check),
    ("model_file", model_file::check),
    ("model_moves", model_moves::check),
    ("moves_agree", moves_agree::check),
    ("nibble_decode", |input| {
        position::check(PositionCode::Nibble, input)
    }),
    ("openings", openings::check),
    ("packing_agrees", packing_agrees::check),
    ("parse_agrees", parse_agrees::check),
    ("piece_list_decode", |input| {
        position::check(PositionCode::PieceList, input)
    }),
    ("piece_list_ranked_decode", |input| {
        position::check(PositionCode::PieceListRanked, input)
    }),
    ("prose", prose::check),
    ("queries", queries::check),
    ("queries_agree", queries_agree::check),
    ("radix_decode", |input| moves::check(Codec::Radix, input)),
    ("radix_end_decode", |input| {
        moves::check(Codec::RadixEnd, input)
    }),
    ("range_coder", range_coder::check),
    ("recover", recover::check),
    ("san_decode", |input| moves::check(Codec::San, input)),
    ("scoutfish", scoutfish::check),
    ("split_lossless", split_lossless::check),
    ("squares_decode", |input| {
        moves::check(Codec::Squares, input)
    }),
    ("xq_array_decode", |input| {
        xiangqi::check_code(XiangqiCode::Array, input)
    }),
    ("xq_fen", xiangqi::check_fen),
    ("xq_link_decode", xiangqi::check_link),
    ("xq_list_decode", |input| {
        xiangqi::check_code(XiangqiCode::List, input)
    }),
    ("xq_prefix_decode", |input| {
        xiangqi::check_code(XiangqiCode::Prefix, input)
    }),
    ("xq_ranked_decode", |input| {
        xiangqi::check_code(XiangqiCode::Ranked, input)
    }),
    ("zstd_agrees", zstd_agrees::check),
];
