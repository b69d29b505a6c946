//! The bytes of the archive and of the models, which JavaScript reads.

use crate::memory::Given;
use pgna::{BuiltinModel, ReadAt};
use std::cell::Cell;
use std::io;

#[link(wasm_import_module = "source")]
unsafe extern "C" {
    #[link_name = "read"]
    fn read_into(offset: f64, length: usize, to: *mut u8) -> u32;
    #[link_name = "model"]
    safe fn request_model(level: u32) -> u32;
}

thread_local! {
    /// What JavaScript has given during the call of an import.
    static GIVEN: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Gives what an import returns: the weights of a model, or why a read failed.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn give(bytes: *mut u8, length: usize) {
    GIVEN.set(Given::new(bytes, length).into_bytes());
}

/// The weights of a model that an archive needs.
pub(crate) fn model(model: BuiltinModel) -> Option<Vec<u8>> {
    let mut levels = (0u32..).zip(BuiltinModel::ALL);
    let (level, _) = levels.find(|(_, other)| *other == model)?;
    (request_model(level) == 0).then(|| GIVEN.take())
}

/// The file with the archive.
pub(crate) struct Source {
    size: u64,
}

impl Source {
    /// A file of a size that JavaScript knows.
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the cast saturates, and sizes of files are exact numbers of JavaScript"
    )]
    pub(crate) fn new(size: f64) -> Source {
        Source { size: size as u64 }
    }
}

impl ReadAt for Source {
    fn size(&self) -> io::Result<u64> {
        Ok(self.size)
    }

    #[allow(clippy::cast_precision_loss, reason = "offsets are below the size")]
    fn read_at(&self, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; len];
        // SAFETY: `read` writes `len` bytes there.
        let failed = unsafe { read_into(offset as f64, len, bytes.as_mut_ptr()) };
        match failed {
            0 => Ok(bytes),
            _ => {
                let why = String::from_utf8_lossy(&GIVEN.take()).into_owned();
                Err(io::Error::other(why))
            }
        }
    }
}
