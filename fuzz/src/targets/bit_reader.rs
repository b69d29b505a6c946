//! Reads fields of arbitrary widths and compares them with the bits one by one.

use pgna::internals::bits::{BitReader, BitWriter};

pub(super) fn check(input: &[u8]) {
    let Some((bytes, widths)) = crate::arbitrary::<(Vec<u8>, Vec<u8>)>(input) else {
        return;
    };
    let mut fields = BitReader::new(&bytes);
    let mut single = BitReader::new(&bytes);
    let mut copy = BitWriter::new();
    for width in widths.iter().map(|width| u32::from(*width)) {
        let before = fields.position();
        let Ok(value) = fields.read_bits(width) else {
            assert_eq!(fields.position(), before);
            assert!(width > 64 || u64::from(width) > fields.remaining());
            continue;
        };
        let bits = (0..width).fold(0, |value, _| {
            value << 1 | u64::from(single.read_bit().unwrap())
        });
        assert_eq!(value, bits);
        copy.push_bits(value, width);
    }
    assert_eq!(copy.bit_len(), fields.position());
    let left = fields.remaining();
    if fields.finish().is_ok() {
        assert!(left < 8);
        assert_eq!(copy.into_bytes(), bytes);
    }
}
