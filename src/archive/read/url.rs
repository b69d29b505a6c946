//! Archives on web servers and in object stores.

use crate::archive::error::{Error, ErrorKind};
use crate::archive::read::archive::Archive;
use crate::limits::Limits;
use crate::remote;
use crate::text::without_secrets;

impl Archive {
    /// Opens the archive at a URL. Only what is needed is read, in pages of 64 KiB, of which 64 MiB
    /// are cached. A failed request is sent again twice, after a quarter of a second and about a
    /// second. Of what is known to be needed, several ranges are requested at once.
    ///
    /// - `http://` and `https://` (feature `http`): of a server that answers requests for ranges of
    ///   bytes. If the server shows by the size, the entity tag or the date of the file that it has
    ///   changed since, reads fail.
    /// - `s3://BUCKET/KEY`, `gs://BUCKET/KEY` and `az://CONTAINER/KEY` (feature `object-store`), and
    ///   the forms `s3a://`, `azure://`, `adl://`, `abfs://` and `abfss://` of other programs: an
    ///   object of Amazon S3 or what speaks its protocol, Google Cloud Storage or Azure Blob Storage.
    ///   Reads of an object that has changed since fail. In the key, `%`, `?` and `#` are written
    ///   `%25`, `%3F` and `%23`. Credentials, region and endpoint are those of the environment:
    ///   `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`, `AWS_ENDPOINT_URL`;
    ///   `GOOGLE_SERVICE_ACCOUNT`; `AZURE_STORAGE_ACCOUNT_NAME`, `AZURE_STORAGE_ACCOUNT_KEY`; and the
    ///   others of the crate object_store. For public buckets `AWS_SKIP_SIGNATURE`,
    ///   `GOOGLE_SKIP_SIGNATURE` or `AZURE_SKIP_SIGNATURE` is `true`.
    ///
    /// # Errors
    /// As [`Archive::open`]; or this build lacks the feature for the scheme, the server cannot be
    /// reached, has no such file, denies access, does not answer requests for ranges, or a request
    /// fails.
    pub fn open_url(url: &str, limits: Limits) -> Result<Self, Error> {
        let file = remote::open_url(url).map_err(|error| {
            let what = format!("opening {}", without_secrets(url));
            ErrorKind::Io { what, error }
        })?;
        Archive::open(file, limits)
    }
}
