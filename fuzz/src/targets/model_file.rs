//! Files of models: a built-in one with arbitrary changes, or arbitrary bytes. What is accepted decodes
//! arbitrary bytes, and the line encodes to the same bytes again.

use crate::archives::small_limits;
use pgna::internals::chess::ChessPosition;
use pgna::internals::moves::{Line, LineInfo, LineStart, MoveCodec, SideInfo};
use pgna::{Codec, MoveModel};

const FAST: &[u8] = include_bytes!("../../../spec/models/fast.model");

/// The file, by its changes: each sets bytes, which are repeated, in a range.
fn file(changes: Vec<(u32, u32, Vec<u8>)>) -> Vec<u8> {
    let mut file = FAST.to_vec();
    for (start, count, bytes) in changes.into_iter().take(8) {
        let start = start as usize % file.len();
        let end = (start + count as usize % file.len()).min(file.len());
        let values = bytes.iter().cycle();
        for (at, value) in file[start..end].iter_mut().zip(values) {
            *at = *value;
        }
    }
    file
}

pub(super) fn check(input: &[u8]) {
    let Some((plies, changes, bytes)) =
        crate::arbitrary::<(u8, Vec<(u32, u32, Vec<u8>)>, Vec<u8>)>(input)
    else {
        return;
    };
    assert!(MoveModel::from_bytes(&bytes).is_err(), "too short");
    let Ok(model) = MoveModel::from_bytes(&file(changes)) else {
        return;
    };
    let model = model.into();
    let side_info = SideInfo::from(&model);
    let start = ChessPosition::standard();
    let shape = LineInfo {
        side_info,
        ..LineInfo::new(LineStart::Position(&start), plies.into(), &[])
    };
    if let Ok(line) = Codec::Model.decode(&bytes, &shape, &small_limits()) {
        let again = Line {
            side_info,
            ..Line::new(&line.start, &line.plies)
        };
        assert_eq!(Codec::Model.encode(again), Ok(bytes));
    }
}
