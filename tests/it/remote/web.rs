//! Archives on web servers: right ones, and wrong ones of each kind.

use super::server::{Answer, Server, answer, archive, full, right};
use crate::unprotected::unprotected;
use pgna::{Archive, Limits, PackOptions, Writer};
use std::process::{Command, Output};

fn run(args: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_pgna"));
    program.args(args).output().unwrap()
}

#[test]
fn games_are_those_of_the_file() {
    let (file, games) = archive();
    let size = file.len();
    let server = Server::start(
        file,
        Box::new(|_, file, range| right(file, &range, "ETag: \"1\"\r\n")),
    );
    let archive = server.open().unwrap();
    assert!(server.requests().len() <= 2, "{:?}", server.requests());
    assert_eq!(archive.text(300).unwrap(), games[299]);
    assert!(server.requests().len() <= 5, "{:?}", server.requests());
    for (number, game) in (1..).zip(&games) {
        assert_eq!(archive.text(number).unwrap(), *game);
    }
    let read: usize = server
        .requests()
        .iter()
        .map(|request| request.range.end.min(size) - request.range.start)
        .sum();
    assert!(read <= size, "{read} of {size} bytes");
}

#[test]
fn the_program_takes_urls() {
    let (file, games) = archive();
    let server = Server::start(file, Box::new(|_, file, range| right(file, &range, "")));
    let viewed = run(&["view", &server.url, "300"]);
    assert!(viewed.status.success(), "{viewed:?}");
    assert_eq!(viewed.stdout.trim_ascii(), games[299].trim_ascii());
    let files_only: &[&[&str]] = &[
        #[cfg(feature = "serve")]
        &["serve", "--listen", "127.0.0.1:0", &server.url],
        &["append", &server.url, "games.pgn"],
        &["pack", &server.url, "-o", "none.pgna"],
        &["index", &server.url],
        &["compact", &server.url, "-o", "none.pgna"],
        &["repack", &server.url, "-o", "none.pgna"],
        &["recover", &server.url, "-o", "none.pgna"],
    ];
    for verb in files_only {
        let refused = run(verb);
        assert_eq!(refused.status.code(), Some(2), "{refused:?}");
        let message = String::from_utf8_lossy(&refused.stderr);
        assert!(message.contains("only a file"), "{message}");
    }
}

#[test]
fn small_files_may_be_sent_whole() {
    let mut writer = Writer::new(Vec::new(), PackOptions::default()).unwrap();
    writer.add_source("a.pgn", &b"1. e4 e5 *\n"[..]).unwrap();
    let file = writer.finish().unwrap().0;
    let server = Server::start(file, Box::new(|_, file, _| answer("200 OK", "", file)));
    assert_eq!(server.open().unwrap().text(1).unwrap(), b"1. e4 e5 *\n");
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn failures_that_pass_are_survived() {
    let (file, games) = archive();
    let server = Server::start(
        file,
        Box::new(|number, file, range| match number {
            0 => answer("503 Service Unavailable", "", b"later"),
            1 => right(file, &range, ""),
            // The connection ends early.
            2 => {
                let mut whole = right(file, &range, "");
                whole.truncate(whole.len() - 1);
                whole
            }
            3 => Vec::new(),
            _ => right(file, &range, ""),
        }),
    );
    let archive = server.open().unwrap();
    assert_eq!(archive.text(400).unwrap(), games[399]);
    assert!(server.requests().len() >= 5);
}

/// A part that a server does not send is not damaged: no copy of it is used in its place.
#[test]
fn requests_that_fail_while_opening_are_errors() {
    let (file, _) = archive();
    let server = Server::start(
        file,
        Box::new(|number, file, range| match number {
            1 => answer("404 Not Found", "", b"no"),
            _ => right(file, &range, ""),
        }),
    );
    let error = server.open().unwrap_err();
    assert!(error.contains("404 Not Found"), "{error}");
}

#[test]
fn wrong_servers_are_named() {
    let (file, _) = archive();
    let wrong: [(&str, Box<Answer>); 12] = [
        (
            "sends whole files only",
            Box::new(|_, file, _| answer("200 OK", "", file)),
        ),
        (
            "compresses the file",
            Box::new(|_, file, range| right(file, &range, "Content-Encoding: gzip\r\n")),
        ),
        (
            "compresses the file",
            Box::new(|_, file, range| {
                let twice = "Content-Encoding: identity\r\nContent-Encoding: br\r\n";
                right(file, &range, twice)
            }),
        ),
        (
            "another range",
            Box::new(|_, file, _| {
                let headers =
                    "Content-Range: bytes 0-18446744073709551613/18446744073709551614\r\n";
                answer("206 Partial Content", headers, file)
            }),
        ),
        (
            "more or fewer bytes",
            Box::new(|_, file, _| {
                answer(
                    "206 Partial Content",
                    "Content-Range: bytes 0-16383/99999\r\n",
                    file,
                )
            }),
        ),
        (
            "did not say which bytes",
            Box::new(|_, file, range| {
                answer("206 Partial Content", "", &file[range.start..range.end])
            }),
        ),
        (
            "another range",
            Box::new(|_, file, range| right(file, &(range.start..range.end - 1), "")),
        ),
        (
            "more or fewer bytes",
            Box::new(|_, file, range| {
                let headers = format!("Content-Range: bytes 0-{}/99999\r\n", range.end - 1);
                answer("206 Partial Content", &headers, &file[..100])
            }),
        ),
        ("empty", Box::new(|_, _, range| right(b"", &range, ""))),
        (
            "404 Not Found",
            Box::new(|_, _, _| answer("404 Not Found", "", b"no")),
        ),
        (
            "403 Forbidden",
            Box::new(|_, _, _| answer("403 Forbidden", "", b"no")),
        ),
        (
            "500 Internal Server Error",
            Box::new(|_, _, _| answer("500 Internal Server Error", "", b"no")),
        ),
    ];
    for (expected, answer) in wrong {
        let server = Server::start(file.clone(), answer);
        let error = server.open().expect_err(expected);
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn what_is_not_a_url() {
    for url in ["http://", "http://[", "https:// a/b"] {
        let error = Archive::open_url(url, Limits::default()).unwrap_err();
        assert!(full(&error).contains("not a valid URL"), "{}", full(&error));
    }
}

#[test]
fn a_file_that_changes_is_an_error() {
    let (file, _) = archive();
    let changes: [Box<Answer>; 3] = [
        Box::new(|number, file, range| {
            right(
                file,
                &range,
                &format!("ETag: \"{}\"\r\n", usize::from(number > 1)),
            )
        }),
        Box::new(|number, file, range| {
            right(
                file,
                &range,
                &format!("Last-Modified: {}\r\n", usize::from(number > 1)),
            )
        }),
        Box::new(|number, file, range| {
            right(&file[..file.len() - usize::from(number > 1)], &range, "")
        }),
    ];
    for change in changes {
        let server = Server::start(file.clone(), change);
        let archive = server.open().unwrap();
        let errors = (1..=400).filter_map(|game| archive.text(game).err());
        let errors: Vec<String> = errors.map(|error| full(&error)).collect();
        assert!(errors[0].contains("has changed"), "{}", errors[0]);
    }
}

/// A server that redirects `/games.pgna` to a signed URL, which expires after three requests.
#[test]
fn redirects_are_followed_once_until_their_target_expires() {
    let (file, games) = archive();
    let server = Server::start_with(file, |number, file, request| {
        let signature = number / 4;
        if request.path == "/games.pgna" {
            let target = format!("Location: /signed?{signature}\r\n");
            return answer("302 Found", &target, b"");
        }
        match request.path == format!("/signed?{signature}") {
            true => right(file, &request.range, ""),
            false => answer("403 Forbidden", "", b"expired"),
        }
    });
    let archive = server.open().unwrap();
    for number in [100, 200, 300, 400] {
        assert_eq!(archive.text(number).unwrap(), games[number as usize - 1]);
    }
    let requests = server.requests();
    let redirects = requests.iter().filter(|it| it.path == "/games.pgna");
    let count = redirects.count();
    assert!(count > 1 && count <= requests.len() / 4 + 1, "{requests:?}");
}

#[test]
fn a_target_that_is_gone_is_an_error_if_the_first_url_is_gone_too() {
    let (file, _) = archive();
    let server = Server::start_with(file, |number, file, request| {
        match (number, &request.path[..]) {
            (0, _) => answer("302 Found", "Location: /b\r\n", b""),
            (1, "/b") => right(file, &request.range, ""),
            _ => answer("404 Not Found", "", b"no"),
        }
    });
    let error = server.open().unwrap_err();
    assert!(error.contains("404 Not Found"), "{error}");
    assert_eq!(server.requests().len(), 4, "{:?}", server.requests());
}

#[test]
fn passwords_are_sent_but_not_shown() {
    let (file, games) = archive();
    let server = Server::start_with(file, |_, file, request| match request.is_authorized {
        true => right(file, &request.range, ""),
        false => answer("401 Unauthorized", "", b"no"),
    });
    let url = server.url.replace("://", "://ann:secret@");
    let archive = Archive::open_url(&url, Limits::default()).unwrap();
    assert_eq!(archive.text(300).unwrap(), games[299]);
    let wrong = Server::start(
        vec![0],
        Box::new(|_, _, _| answer("404 Not Found", "", b"")),
    );
    let url = wrong.url.replace("://", "://ann:secret@");
    let error = Archive::open_url(&url, Limits::default()).unwrap_err();
    assert!(full(&error).contains(&wrong.url), "{}", full(&error));
    assert!(!full(&error).contains("secret"), "{}", full(&error));
    for verb in ["info", "test", "list"] {
        let refused = run(&[verb, &url]);
        let message = String::from_utf8_lossy(&refused.stderr);
        assert!(message.contains(&wrong.url), "{message}");
        assert!(!message.contains("secret"), "{message}");
        assert_eq!(message.matches("games.pgna").count(), 1, "{message}");
    }
}

/// `recover` and `pack` read files only.
#[test]
fn hints_name_no_verb_that_does_not_take_urls() {
    let mut file = unprotected(archive().0);
    let middle = file.len() / 2;
    file[middle] ^= 1;
    let damaged = Server::start(file, Box::new(|_, file, range| right(file, &range, "")));
    let unpacked = run(&["unpack", &damaged.url, "-o", "-"]);
    let message = String::from_utf8_lossy(&unpacked.stderr);
    assert_eq!(unpacked.status.code(), Some(4), "{message}");
    assert!(message.contains("of a copy on disk"), "{message}");
    let tested = run(&["test", &damaged.url]);
    let message = String::from_utf8_lossy(&tested.stderr).into_owned() + &message;
    for line in message.lines().filter(|line| line.contains("pgna recover")) {
        assert!(line.contains("copy on disk"), "{line}");
    }
    let text = Server::start(
        b"1. e4 e5 *\n".repeat(9_000),
        Box::new(|_, file, range| right(file, &range, "")),
    );
    let refused = run(&["view", &text.url, "1"]);
    let message = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(4), "{message}");
    assert!(
        !message.contains("pgna recover") && !message.contains("pgna pack"),
        "{message}"
    );
}

#[test]
fn weak_tags_and_missing_ones_show_no_change() {
    let (file, games) = archive();
    let server = Server::start(
        file,
        Box::new(|number, file, range| match number % 2 {
            0 => right(file, &range, "ETag: \"1\"\r\n"),
            _ => right(file, &range, &format!("ETag: W/\"{number}\"\r\n")),
        }),
    );
    let archive = server.open().unwrap();
    assert_eq!(archive.text(400).unwrap(), games[399]);
}
