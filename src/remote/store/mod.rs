//! Objects in object stores. The protocols, with their signatures and credentials, are those of the
//! crate object_store.

mod config;
mod failure;
mod transport;

use std::future::Future;
use std::io;
use std::ops::Range;
use std::thread;

use object_store::path::Path;
use object_store::{GetOptions, GetRange, ObjectStore};

use super::failure::invalid;
use crate::container::{ReadAt, START_BYTES};
use config::Place;
use transport::Refusals;

/// An object in an object store. All its bytes are of one version: if it has changed since it was
/// opened, that is an error.
pub(super) struct StoredObject {
    store: Box<dyn ObjectStore>,
    path: Path,
    refusals: Refusals,
    version: ObjectVersion,
}

/// A version of an object.
#[derive(Debug, Default)]
struct ObjectVersion {
    size: u64,
    tag: Option<String>,
}

impl ObjectVersion {
    /// The tag that a server compares. It compares no weak tag, which can be that of other bytes too.
    fn strong_tag(&self) -> Option<&String> {
        self.tag.as_ref().filter(|tag| !tag.starts_with("W/"))
    }

    fn is_same(&self, other: &ObjectVersion) -> bool {
        let tags = self.strong_tag().zip(other.strong_tag());
        self.size == other.size && tags.is_none_or(|(a, b)| a == b)
    }
}

impl StoredObject {
    /// Opens an object. Returns its first page too, and learns its size from the same answer.
    ///
    /// # Errors
    /// The URL or the settings in the environment are not valid, the store does not answer, denies
    /// access or has no such object.
    pub(super) fn open(url: &str) -> io::Result<(Self, Vec<u8>)> {
        let refusals = Refusals::default();
        let Place { store, path } = config::place(url, &refusals)?;
        apart(async {
            if store.credentials().await.is_err() {
                return Err(invalid(store.kind().no_credentials()));
            }
            Ok(())
        })?;
        Self::of_store(store.objects(), path, refusals)
    }

    /// Opens an object of a store.
    fn of_store(
        store: Box<dyn ObjectStore>,
        path: Path,
        refusals: Refusals,
    ) -> io::Result<(Self, Vec<u8>)> {
        let mut object = StoredObject {
            store,
            path,
            refusals,
            version: ObjectVersion::default(),
        };
        let (version, bytes) = apart(object.get(0..START_BYTES, None))?;
        object.version = version;
        Ok((object, bytes))
    }

    /// Requests a range of bytes of a known version, or, of an unknown one, those that exist.
    async fn get(
        &self,
        range: Range<u64>,
        expected: Option<&ObjectVersion>,
    ) -> io::Result<(ObjectVersion, Vec<u8>)> {
        let options = GetOptions {
            range: Some(GetRange::Bounded(range.clone())),
            // The store refuses to send bytes of another version.
            if_match: expected.and_then(ObjectVersion::strong_tag).cloned(),
            ..GetOptions::default()
        };
        let in_words = |error| failure::in_words(&error, self.refusals.last());
        let answer = self.store.get_opts(&self.path, options).await;
        let answer = answer.map_err(in_words)?;
        let version = ObjectVersion {
            size: answer.meta.size,
            tag: answer.meta.e_tag.clone(),
        };
        if expected.is_some_and(|expected| !expected.is_same(&version)) {
            return Err(invalid(failure::CHANGED));
        }
        let sent = answer.range.clone();
        if sent != (range.start..range.end.min(version.size)) {
            return Err(invalid("the server sent another range than was requested"));
        }
        let bytes = answer.bytes().await.map_err(in_words)?;
        if bytes.len() as u64 != sent.end - sent.start {
            let message = "the server sent more or fewer bytes than it announced";
            return Err(invalid(message));
        }
        Ok((version, bytes.into()))
    }
}

impl ReadAt for StoredObject {
    fn size(&self) -> io::Result<u64> {
        Ok(self.version.size)
    }

    fn read_at(&self, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        let range = offset..offset + len as u64;
        let (_, bytes) = apart(self.get(range, Some(&self.version)))?;
        Ok(bytes)
    }
}

/// Completes a future in a thread and a runtime of its own.
///
/// The caller may be in a task of a runtime of tokio, as in a server, where waiting for a future
/// panics, and so does ending a runtime. No thread stays that waits for the next request: after
/// `fork` it would be missing. Both cost microseconds, a request milliseconds.
fn apart<T: Send>(work: impl Future<Output = io::Result<T>> + Send) -> io::Result<T> {
    let run = || {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        runtime.enable_time().build()?.block_on(work)
    };
    thread::scope(|scope| {
        let worker = thread::Builder::new().name("pgna-store".to_owned());
        let done = worker.spawn_scoped(scope, run)?.join();
        done.unwrap_or_else(|_| Err(io::Error::other("internal error: a panic in a request")))
    })
}

#[cfg(test)]
mod tests;
