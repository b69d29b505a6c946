//! Pages of a dictionary as packs.

use super::{DictionaryHeader, PAGE_BYTES, page};
use crate::bits::{ByteReader, put_bytes, put_varint};
use crate::codec::error::CodecError;
use crate::codec::string_list::StringList;
use crate::codec::{ints, pack};
use crate::limits::Limits;

pub(super) fn write(sorted: &[Vec<u8>]) -> Vec<u8> {
    let mut counts = Vec::new();
    let mut sizes = Vec::new();
    let mut body = Vec::new();
    let mut rest = sorted;
    while !rest.is_empty() {
        let (strings, after) = rest.split_at(page::count_fitting(rest));
        let packed = pack::compress(&page::write(strings), pack::LEVEL);
        counts.push(strings.len() as u64);
        sizes.push(packed.len() as u64);
        body.extend(packed);
        rest = after;
    }
    let mut out = Vec::new();
    put_varint(&mut out, counts.len() as u64);
    put_bytes(&mut out, &ints::encode(&counts));
    put_bytes(&mut out, &ints::encode(&sizes));
    out.extend(body);
    out
}

pub(super) fn parse(
    reader: &mut ByteReader<'_>,
    limits: &Limits,
) -> Result<DictionaryHeader, CodecError> {
    let count = reader.length()?;
    if count > reader.rest().len() {
        return Err(CodecError::Damaged("more pages than bytes"));
    }
    let counts = ints::decode(reader.bytes()?, count, limits)?;
    let sizes = ints::decode(reader.bytes()?, count, limits)?;
    Ok(DictionaryHeader {
        counts,
        sizes,
        pieces: None,
    })
}

/// Decodes a page of `count` strings.
pub(super) fn read(packed: &[u8], count: usize, limits: &Limits) -> Result<StringList, CodecError> {
    let raw = pack::decompress(packed, limits.tables_bytes, limits)?;
    page::read(&raw, count)
}

/// The bound on the memory of a page once decoded, in bytes.
pub(super) fn grown_bytes(packed: &[u8], limits: &Limits) -> Result<usize, CodecError> {
    Ok(pack::raw_len(packed, limits)?.max(PAGE_BYTES))
}
