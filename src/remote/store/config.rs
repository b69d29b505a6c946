//! The store that a URL names, with the settings of the environment.

use std::io;
use std::time::Duration;

use object_store::aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::{AzureConfigKey, MicrosoftAzure, MicrosoftAzureBuilder};
use object_store::gcp::{GoogleCloudStorage, GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::path::Path;
use object_store::{BackoffConfig, ObjectStore, ObjectStoreScheme, RetryConfig};
use url::Url;

use super::super::failure::invalid;
use super::failure::of_settings;
use super::transport::{Refusals, Transport};

/// An object of a store.
pub(super) struct Place {
    pub(super) store: Store,
    pub(super) path: Path,
}

/// A store, and whether requests to it are signed.
pub(super) enum Store {
    Amazon(AmazonS3, bool),
    Google(GoogleCloudStorage, bool),
    Azure(MicrosoftAzure, bool),
}

/// A kind of store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StoreKind {
    Amazon,
    Google,
    Azure,
}

impl StoreKind {
    /// What to do where there are no credentials.
    pub(super) fn no_credentials(self) -> &'static str {
        match self {
            StoreKind::Amazon => {
                "no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or \
                 AWS_SKIP_SIGNATURE=true for a public bucket"
            }
            StoreKind::Google => {
                "no credentials: set GOOGLE_SERVICE_ACCOUNT to the path of the key of an account, or \
                 GOOGLE_SKIP_SIGNATURE=true for a public bucket"
            }
            StoreKind::Azure => {
                "no credentials: set AZURE_STORAGE_ACCOUNT_KEY, or AZURE_SKIP_SIGNATURE=true for a \
                 public container"
            }
        }
    }
}

impl Store {
    pub(super) fn kind(&self) -> StoreKind {
        match self {
            Store::Amazon(..) => StoreKind::Amazon,
            Store::Google(..) => StoreKind::Google,
            Store::Azure(..) => StoreKind::Azure,
        }
    }

    pub(super) fn objects(self) -> Box<dyn ObjectStore> {
        match self {
            Store::Amazon(store, _) => Box::new(store),
            Store::Google(store, _) => Box::new(store),
            Store::Azure(store, _) => Box::new(store),
        }
    }

    /// Gets the credentials, if requests are signed. The store asks for them again only when they
    /// expire.
    pub(super) async fn credentials(&self) -> object_store::Result<()> {
        match self {
            Store::Amazon(store, true) => store.credentials().get_credential().await.map(drop),
            Store::Google(store, true) => store.credentials().get_credential().await.map(drop),
            Store::Azure(store, true) => store.credentials().get_credential().await.map(drop),
            _ => Ok(()),
        }
    }
}

/// The object at a URL.
///
/// # Errors
/// The URL names no object, or the settings of the environment are not valid.
pub(super) fn place(url: &str, refusals: &Refusals) -> io::Result<Place> {
    let url = Url::parse(url).map_err(|_| invalid("not a valid URL"))?;
    if url.query().is_some() || url.fragment().is_some() {
        return Err(invalid(
            "in the key of an object ? and # are written %3F and %23",
        ));
    }
    if url.password().is_some() {
        return Err(invalid(
            "credentials are taken from the environment, not from the URL",
        ));
    }
    let (scheme, path) = ObjectStoreScheme::parse(&url).map_err(|_| invalid("not a valid URL"))?;
    if path.as_ref().is_empty() {
        return Err(invalid("the URL names no object"));
    }
    let transport = Transport::new(refusals.clone());
    let store = match scheme {
        ObjectStoreScheme::AmazonS3 => amazon(url, transport),
        ObjectStoreScheme::GoogleCloudStorage => google(url, transport),
        ObjectStoreScheme::MicrosoftAzure => azure(url, transport),
        _ => return Err(invalid("not a valid URL")),
    };
    let store = store.map_err(|error| of_settings(&error))?;
    Ok(Place { store, path })
}

fn amazon(url: Url, transport: Transport) -> object_store::Result<Store> {
    let mut builder = AmazonS3Builder::from_env();
    let keys = [AmazonS3ConfigKey::Endpoint, AmazonS3ConfigKey::S3Endpoint];
    if keys
        .iter()
        .any(|key| is_plain(builder.get_config_value(key)))
    {
        builder = builder.with_allow_http(true);
    }
    let signs = signs(builder.get_config_value(&AmazonS3ConfigKey::SkipSignature));
    let builder = builder.with_url(url).with_retry(retries());
    let store = builder.with_http_connector(transport).build()?;
    Ok(Store::Amazon(store, signs))
}

fn google(url: Url, transport: Transport) -> object_store::Result<Store> {
    let builder = GoogleCloudStorageBuilder::from_env();
    let signs = signs(builder.get_config_value(&GoogleConfigKey::SkipSignature));
    let builder = builder.with_url(url).with_retry(retries());
    let store = builder.with_http_connector(transport).build()?;
    Ok(Store::Google(store, signs))
}

fn azure(url: Url, transport: Transport) -> object_store::Result<Store> {
    let mut builder = MicrosoftAzureBuilder::from_env();
    if is_plain(builder.get_config_value(&AzureConfigKey::Endpoint)) {
        builder = builder.with_allow_http(true);
    }
    let signs = signs(builder.get_config_value(&AzureConfigKey::SkipSignature));
    let builder = builder.with_url(url).with_retry(retries());
    let store = builder.with_http_connector(transport).build()?;
    Ok(Store::Azure(store, signs))
}

/// Whether an endpoint is one without TLS. Whoever sets it in the environment means it, as for other
/// programs.
fn is_plain(endpoint: Option<String>) -> bool {
    endpoint.is_some_and(|endpoint| endpoint.to_ascii_lowercase().starts_with("http://"))
}

fn signs(skips: Option<String>) -> bool {
    skips.is_none_or(|skips| skips != "true")
}

/// The waits before a failed request is sent again: a quarter of a second and at most one.
fn retries() -> RetryConfig {
    RetryConfig {
        backoff: BackoffConfig {
            init_backoff: Duration::from_millis(250),
            max_backoff: Duration::from_secs(1),
            base: 4.0,
        },
        max_retries: 2,
        retry_timeout: Duration::from_secs(180),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(url: &str) -> String {
        match place(url, &Refusals::default()) {
            Ok(_) => "accepted".to_owned(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn urls_that_name_no_object() {
        assert_eq!(refused("s3://bucket"), "the URL names no object");
        assert_eq!(refused("s3://bucket/"), "the URL names no object");
        assert_eq!(refused("s3:///key"), "not a valid URL");
        assert_eq!(refused("gs://[/key"), "not a valid URL");
        assert!(refused("s3://bucket/a?b").contains("%3F"));
        assert!(refused("s3://bucket/a#b").contains("%23"));
        assert!(refused("s3://key:secret@bucket/a").contains("from the environment"));
    }

    #[test]
    fn keys_may_have_spaces_and_signs() {
        for (url, key) in [
            ("s3://bucket/a b/c.pgna", "a b/c.pgna"),
            ("s3a://bucket/a%3Fb%23c.pgna", "a?b#c.pgna"),
            ("s3://bucket/Capablanca José.pgna", "Capablanca José.pgna"),
        ] {
            let Place { path, store } = place(url, &Refusals::default()).unwrap();
            assert_eq!(path.as_ref(), key, "{url}");
            assert_eq!(store.kind(), StoreKind::Amazon);
        }
    }
}
