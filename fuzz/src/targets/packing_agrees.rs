//! The archive of an input does not depend on the number of threads or on the size of reads.

use crate::archives::NAME;
use crate::collection::Collection;
use pgna::{Indexes, PackOptions, Writer};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::io::Read;
use std::sync::LazyLock;

static ONE: LazyLock<ThreadPool> = LazyLock::new(|| pool(1));
static SEVERAL: LazyLock<ThreadPool> = LazyLock::new(|| pool(3));

fn pool(threads: usize) -> ThreadPool {
    let builder = ThreadPoolBuilder::new().num_threads(threads);
    builder.build().expect("threads")
}

pub(super) fn check(input: &[u8]) {
    let [options, part, input @ ..] = input else {
        return;
    };
    let text = match options & 1 {
        0 => input.to_vec(),
        _ => crate::arbitrary::<Collection>(input).map_or(Vec::new(), |games| games.text()),
    };
    let options = PackOptions {
        segment_bytes: 1 << (9 + (options >> 1 & 7)),
        block_records: 5,
        indexes: Indexes::Full,
        ..PackOptions::default()
    };
    let whole = ONE.install(|| pack(&options, &text[..]));
    let in_parts = InParts {
        bytes: &text,
        most: usize::from(*part) + 1,
    };
    assert!(whole == SEVERAL.install(|| pack(&options, in_parts)));
}

fn pack(options: &PackOptions, text: impl Read) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), options.clone()).expect("a writer");
    writer.add_source(NAME, text).expect("any text is packed");
    writer.finish().expect("an archive").0
}

/// A reader that returns at most `most` bytes at a time.
struct InParts<'a> {
    bytes: &'a [u8],
    most: usize,
}

impl Read for InParts<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let most = buffer.len().min(self.most);
        self.bytes.read(&mut buffer[..most])
    }
}
