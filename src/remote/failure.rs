//! Failed requests, in words.

use std::io;

/// A failed request.
pub(super) struct Failure {
    pub(super) error: io::Error,
    /// Whether the same request may succeed later.
    pub(super) is_temporary: bool,
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure {
            error,
            is_temporary: false,
        }
    }
}

impl Failure {
    pub(super) fn temporary(message: impl Into<String>) -> Self {
        Failure {
            error: invalid(message),
            is_temporary: true,
        }
    }

    /// The kind of an error of the network is not passed on, because callers take some kinds for
    /// those of files.
    pub(super) fn network(error: &io::Error) -> Self {
        use io::ErrorKind::*;
        let is_temporary = matches!(
            error.kind(),
            BrokenPipe
                | ConnectionAborted
                | ConnectionRefused
                | ConnectionReset
                | TimedOut
                | UnexpectedEof
        );
        Failure {
            error: io::Error::other(error.to_string()),
            is_temporary,
        }
    }
}

impl From<ureq::Error> for Failure {
    fn from(error: ureq::Error) -> Self {
        match error {
            ureq::Error::Io(error) => Failure::network(&error),
            ureq::Error::Timeout(_) => Failure::temporary("the server did not answer in time"),
            ureq::Error::ConnectionFailed => Failure::temporary("no connection to the server"),
            ureq::Error::HostNotFound => invalid("the server is unknown").into(),
            ureq::Error::BadUri(_) | ureq::Error::Http(_) => invalid("not a valid URL").into(),
            error => invalid(error.to_string()).into(),
        }
    }
}

pub(super) fn invalid(message: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message.into())
}
