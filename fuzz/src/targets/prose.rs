//! Arbitrary bytes as preset text and as prose after it: no panic, no output beyond the limit.
//! Decoded prose and arbitrary text round-trip.

use pgna::Limits;
use pgna::internals::codec::context_mixing::{PrimedModel, compress, decompress, decompress_first};
use pgna::internals::codec::error::CodecError;

/// Small, so that each input takes little time.
const MAX_RAW: u64 = 1 << 14;

pub(super) fn check(data: &[u8]) {
    let Some(([share], bytes)) = data.split_first_chunk::<1>() else {
        return;
    };
    let limits = Limits::default();
    let (table, prose) = bytes.split_at((bytes.len() * usize::from(*share)) >> 8);
    let phrases = PrimedModel::read(table, &limits).ok();
    let phrases = phrases.as_ref();
    if let Ok(raw) = read(prose, phrases) {
        assert!(raw.len() as u64 <= MAX_RAW);
        let wanted = usize::from(*share);
        let first = decompress_first(prose, wanted, || Ok(phrases), MAX_RAW, &limits);
        let first = first.expect("the first bytes of prose that can be read");
        assert_eq!(first[..wanted.min(raw.len())], raw[..wanted.min(raw.len())]);
        assert_eq!(read(&compress(&raw, phrases), phrases), Ok(raw));
    }
    // The bytes as text to compress.
    let written = PrimedModel::compress_preset_text(table, prose.len());
    let written = written.map(|table| PrimedModel::read(&table, &limits).expect("phrases"));
    let written = written.as_ref();
    assert_eq!(
        read(&compress(prose, written), written).as_deref(),
        Ok(prose)
    );
}

fn read(bytes: &[u8], phrases: Option<&PrimedModel>) -> Result<Vec<u8>, CodecError> {
    decompress(bytes, || Ok(phrases), MAX_RAW, &Limits::default())
}
