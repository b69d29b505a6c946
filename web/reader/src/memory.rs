//! Memory that is passed between JavaScript and this module.

/// Returns memory of so many bytes, which a later call takes.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn allocate(length: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; length].into_boxed_slice()).cast()
}

/// Bytes that JavaScript has written.
pub(crate) struct Given(Box<[u8]>);

impl Given {
    /// Takes the memory that `allocate` returned for this length.
    pub(crate) fn new(bytes: *mut u8, length: usize) -> Given {
        let bytes = std::ptr::slice_from_raw_parts_mut(bytes, length);
        // SAFETY: the interface demands a pointer that `allocate` returned for this length and that no
        // other call has taken, so it is that of a box.
        Given(unsafe { Box::from_raw(bytes) })
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0.into_vec()
    }

    /// The bytes as text. JavaScript writes UTF-8.
    pub(crate) fn into_text(self) -> String {
        String::from_utf8_lossy(&self.0).into_owned()
    }
}
