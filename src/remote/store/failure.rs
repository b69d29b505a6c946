//! Errors of object stores in words, without what may have credentials in it.

use std::error::Error;
use std::io;

use object_store::client::HttpError;

use super::super::failure::invalid;
use super::transport::Refusal;

pub(super) const CHANGED: &str = "the file has changed since it was opened";

/// An error of a request, which was refused or got no right answer.
pub(super) fn in_words(error: &object_store::Error, refusal: Option<Refusal>) -> io::Error {
    if let Some(refusal) = refusal {
        return invalid(of_refusal(&refusal));
    }
    if let object_store::Error::Precondition { .. } = error {
        return invalid(CHANGED);
    }
    let causes = std::iter::successors(error.source(), |error| (*error).source());
    let mut causes = causes.filter_map(|cause| cause.downcast_ref::<HttpError>());
    match causes.next().and_then(Error::source) {
        Some(cause) => invalid(cause.to_string()),
        None => invalid(format!(
            "the answer of the store is not valid: {}",
            cause_of(error)
        )),
    }
}

/// An error of the settings in the environment.
pub(super) fn of_settings(error: &object_store::Error) -> io::Error {
    let cause = cause_of(error);
    invalid(format!(
        "the settings in the environment are not valid: {cause}"
    ))
}

/// The text of an error without the name of the store.
fn cause_of(error: &object_store::Error) -> String {
    let cause = error.source().map(ToString::to_string);
    cause.unwrap_or_else(|| error.to_string())
}

fn of_refusal(refusal: &Refusal) -> String {
    let code = refusal.code.as_deref().unwrap_or_default();
    let named = match code {
        "" => String::new(),
        code => format!(" ({code})"),
    };
    match (refusal.status.as_u16(), code) {
        (_, "NoSuchBucket") => "there is no such bucket".to_owned(),
        (_, "ContainerNotFound") => "there is no such container".to_owned(),
        (_, "AuthorizationHeaderMalformed" | "PermanentRedirect") | (301 | 307 | 308, _) => {
            "the bucket is of another region: set AWS_REGION to its region".to_owned()
        }
        (404, _) => "there is no such object".to_owned(),
        (401 | 403, _) => format!("access is denied{named}"),
        (412, _) => CHANGED.to_owned(),
        (416, _) => "the file is empty, or has become shorter".to_owned(),
        _ => format!("the server answered {}{named}", refusal.status),
    }
}
