//! Files: new ones that appear whole, temporary ones, memory-mapped ones, safe names, the folder
//! that sources are unpacked to.

#[cfg(feature = "write")]
pub(crate) mod file;
#[cfg(feature = "mmap")]
pub(crate) mod mmap;
pub(crate) mod names;
pub(crate) mod open;
#[cfg(feature = "write")]
pub(crate) mod source_folder;
#[cfg(feature = "write")]
pub(crate) mod temporary;
