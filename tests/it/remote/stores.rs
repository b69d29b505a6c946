//! Archives in object stores, by the program, which takes the endpoint from its environment.

use super::server::{Request, Server, answer, archive, right};
use std::process::{Command, Output};

/// The headers that all stores send.
const TAGGED: &str = "ETag: \"1\"\r\nLast-Modified: Tue, 01 Sep 2026 10:00:00 GMT\r\n";

/// Variables of the environment.
type Settings<'a> = [(&'a str, &'a str)];

/// Runs the program with these settings of stores alone.
fn run(settings: &Settings, args: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_pgna"));
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        let is_setting = ["AWS_", "GOOGLE_", "AZURE_"]
            .iter()
            .any(|it| text.starts_with(it));
        if is_setting {
            program.env_remove(&name);
        }
    }
    program
        .envs(settings.iter().copied())
        .args(args)
        .output()
        .unwrap()
}

/// The endpoint of a server, without the file.
fn endpoint(server: &Server) -> String {
    server.url.replace("/games.pgna", "")
}

/// Runs the program with a server for S3.
fn run_with(server: &Server, args: &[&str]) -> Output {
    let settings = [
        ("AWS_ENDPOINT_URL", &endpoint(server)[..]),
        ("AWS_ACCESS_KEY_ID", "key"),
        ("AWS_SECRET_ACCESS_KEY", "a-secret"),
    ];
    run(&settings, args)
}

/// The message of a run that fails.
fn message(run: &Output) -> String {
    assert_eq!(run.status.code(), Some(2), "{run:?}");
    let message = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(!message.contains("secret"), "{message}");
    assert!(!message.contains("127.0.0.1"), "{message}");
    message
}

fn start(answer: impl Fn(usize, &[u8], &Request) -> Vec<u8> + Send + Sync + 'static) -> Server {
    Server::start_with(archive().0, answer)
}

/// The answer of S3 that names an error.
fn refusal(status: &str, code: &str) -> Vec<u8> {
    let body = format!("<?xml version=\"1.0\"?><Error><Code>{code}</Code></Error>");
    answer(status, "", body.as_bytes())
}

#[test]
fn games_are_those_of_the_object() {
    let (_, games) = archive();
    let server = start(|_, file, request| right(file, &request.range, TAGGED));
    let viewed = run_with(&server, &["view", "s3://chess/a b/games.pgna", "300"]);
    assert!(viewed.status.success(), "{viewed:?}");
    assert_eq!(viewed.stdout.trim_ascii(), games[299].trim_ascii());
    let requests = server.requests();
    assert!(requests.len() <= 5, "{requests:?}");
    assert_eq!(requests[0].range, 0..16_384);
    for (number, request) in requests.iter().enumerate() {
        assert_eq!(request.path, "/chess/a%20b/games.pgna");
        assert!(request.is_authorized, "{request:?}");
        let tag = (number > 0).then_some("\"1\"");
        assert_eq!(request.tag.as_deref(), tag, "{request:?}");
    }
}

#[test]
fn all_stores_are_read() {
    let (_, games) = archive();
    let server = start(|_, file, request| right(file, &request.range, TAGGED));
    let endpoint = endpoint(&server);
    let key = "c2VjcmV0";
    let azure = format!("{endpoint}/account");
    let cases: [(&str, &Settings, &str, bool); 4] = [
        (
            "s3://chess/games.pgna",
            &[
                ("AWS_ENDPOINT_URL", &endpoint),
                ("AWS_SKIP_SIGNATURE", "true"),
            ],
            "/chess/games.pgna",
            false,
        ),
        (
            "gs://chess/games.pgna",
            &[
                ("GOOGLE_BASE_URL", &endpoint),
                ("GOOGLE_SKIP_SIGNATURE", "true"),
            ],
            "/chess/games.pgna",
            false,
        ),
        (
            "az://chess/games.pgna",
            &[
                ("AZURE_STORAGE_ENDPOINT", &azure),
                ("AZURE_STORAGE_ACCOUNT_NAME", "account"),
                ("AZURE_STORAGE_ACCOUNT_KEY", key),
            ],
            "/account/chess/games.pgna",
            true,
        ),
        (
            "abfss://chess/games.pgna",
            &[
                ("AZURE_STORAGE_ENDPOINT", &azure),
                ("AZURE_STORAGE_ACCOUNT_NAME", "account"),
                ("AZURE_SKIP_SIGNATURE", "true"),
            ],
            "/account/chess/games.pgna",
            false,
        ),
    ];
    for (url, settings, path, is_authorized) in cases {
        let viewed = run(settings, &["view", url, "300"]);
        assert!(viewed.status.success(), "{url}: {viewed:?}");
        assert_eq!(viewed.stdout.trim_ascii(), games[299].trim_ascii());
        let requests = server.requests();
        let last = requests.last().unwrap();
        let sent = last.path.replace("%2E", ".");
        assert_eq!(
            (&sent[..], last.is_authorized),
            (path, is_authorized),
            "{url}"
        );
        assert_eq!(last.tag.as_deref(), Some("\"1\""), "{url}");
    }
}

#[test]
fn refusals_are_in_words() {
    let cases = [
        ("404 Not Found", "NoSuchKey", "there is no such object"),
        ("404 Not Found", "NoSuchBucket", "there is no such bucket"),
        (
            "404 Not Found",
            "ContainerNotFound",
            "there is no such container",
        ),
        (
            "403 Forbidden",
            "AccessDenied",
            "access is denied (AccessDenied)",
        ),
        ("403 Forbidden", "<Key>a-secret", "access is denied"),
        (
            "401 Unauthorized",
            "InvalidToken",
            "access is denied (InvalidToken)",
        ),
        (
            "301 Moved Permanently",
            "PermanentRedirect",
            "another region",
        ),
        (
            "400 Bad Request",
            "ExpiredToken",
            "400 Bad Request (ExpiredToken)",
        ),
        (
            "416 Range Not Satisfiable",
            "InvalidRange",
            "the file is empty",
        ),
        (
            "503 Service Unavailable",
            "SlowDown",
            "503 Service Unavailable (SlowDown)",
        ),
    ];
    for (status, code, expected) in cases {
        let server = start(move |_, _, _| refusal(status, code));
        let message = message(&run_with(&server, &["info", "s3://chess/games.pgna"]));
        assert!(
            message.starts_with("pgna: s3://chess/games.pgna: "),
            "{message}"
        );
        assert!(message.contains(expected), "{message}");
        let sent = server.requests().len();
        assert_eq!(
            sent,
            if status.starts_with('5') { 3 } else { 1 },
            "{status}"
        );
    }
}

#[test]
fn an_object_that_changes_is_an_error() {
    let later = TAGGED.replace("\"1\"", "\"2\"");
    // One that compares tags, one that does not, and one whose objects have none that is strong.
    let servers = [
        start(|number, file, request| match number {
            0 | 1 => right(file, &request.range, TAGGED),
            _ => refusal("412 Precondition Failed", "PreconditionFailed"),
        }),
        start(move |number, file, request| match number {
            0 | 1 => right(file, &request.range, TAGGED),
            _ => right(file, &request.range, &later),
        }),
        start(|number, file, request| {
            let size = file.len() - usize::from(number > 1);
            let weak = TAGGED.replace("\"1\"", "W/\"1\"");
            right(&file[..size], &request.range, &weak)
        }),
    ];
    for server in servers {
        let unpacked = run_with(&server, &["unpack", "s3://chess/games.pgna", "-c"]);
        let message = String::from_utf8_lossy(&unpacked.stderr);
        assert!(!unpacked.status.success());
        assert!(
            message.contains("has changed since it was opened"),
            "{message}"
        );
    }
}

#[test]
fn wrong_answers_are_errors() {
    let servers = [
        (
            "whole files only",
            start(|_, file, _| answer("200 OK", TAGGED, file)),
        ),
        (
            "is not valid",
            start(|_, file, request| {
                let range = &request.range;
                right(file, &(range.start..range.end - 1), TAGGED)
            }),
        ),
        (
            "is not valid",
            start(|_, file, request| {
                answer("206 Partial Content", TAGGED, &file[request.range.clone()])
            }),
        ),
        (
            "more or fewer bytes",
            start(|_, file, request| {
                let headers = format!("Content-Range: bytes 0-16383/{}\r\n{TAGGED}", file.len());
                answer(
                    "206 Partial Content",
                    &headers,
                    &file[..request.range.end - 9],
                )
            }),
        ),
        (
            "more bytes than were requested",
            start(|_, file, _| {
                let headers = format!("Content-Range: bytes 0-16383/{}\r\n{TAGGED}", file.len());
                answer("206 Partial Content", &headers, &vec![0; 9 << 20])
            }),
        ),
        (
            "empty",
            start(|_, _, request| right(b"", &request.range, TAGGED)),
        ),
    ];
    for (expected, server) in servers {
        let message = message(&run_with(&server, &["info", "s3://chess/games.pgna"]));
        assert!(message.contains(expected), "{expected}: {message}");
    }
}

#[test]
fn failures_that_pass_are_survived() {
    let (_, games) = archive();
    let server = start(|number, file, request| match number {
        0 => refusal("503 Service Unavailable", "SlowDown"),
        // The connection ends early.
        1 => {
            let mut whole = right(file, &request.range, TAGGED);
            whole.truncate(whole.len() - 1);
            whole
        }
        _ => right(file, &request.range, TAGGED),
    });
    let viewed = run_with(&server, &["view", "s3://chess/games.pgna", "300"]);
    assert!(viewed.status.success(), "{viewed:?}");
    assert_eq!(viewed.stdout.trim_ascii(), games[299].trim_ascii());
}

#[test]
fn settings_that_are_missing_are_named() {
    let server = start(|_, file, request| right(file, &request.range, TAGGED));
    let endpoint = endpoint(&server);
    let endpoint = ("AWS_ENDPOINT_URL", &endpoint[..]);
    let half = run(
        &[endpoint, ("AWS_ACCESS_KEY_ID", "key")],
        &["info", "s3://chess/a"],
    );
    assert!(message(&half).contains("SecretAccessKey"), "{half:?}");
    let none = run(
        &[endpoint, ("AWS_METADATA_ENDPOINT", "http://127.0.0.1:9")],
        &["info", "s3://chess/a"],
    );
    assert!(
        message(&none).contains("AWS_SKIP_SIGNATURE=true"),
        "{none:?}"
    );
    let account = run(&[], &["info", "az://chess/a"]);
    assert!(message(&account).contains("Account"), "{account:?}");
}

#[test]
fn verbs_that_write_refuse_urls() {
    for verb in ["append", "index", "compact", "repack", "recover", "pack"] {
        let refused = run(&[], &[verb, "s3://chess/games.pgna", "-o", "none.pgna"]);
        assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    }
    let refused = run(&[], &["index", "s3://chess/games.pgna"]);
    assert!(message(&refused).contains("only a file"), "{refused:?}");
}
