//! Archives on web servers: right ones, and wrong ones of each kind.

use pgna::{Archive, Limits, PackOptions, Writer};
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::ops::Range;
use std::sync::{Arc, Mutex};

/// An archive of several hundred KiB, with its games.
fn archive() -> (Vec<u8>, Vec<Vec<u8>>) {
    let mut text = String::new();
    let mut seed = 1u64;
    for game in 0..400 {
        let mut comment = String::new();
        for _ in 0..200 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            write!(comment, "{:x} ", seed >> 40).unwrap();
        }
        write!(
            text,
            "[White \"Player {game}\"]\n\n1. e4 {{{comment}}} e5 *\n\n"
        )
        .unwrap();
    }
    let options = PackOptions {
        block_records: 16,
        ..PackOptions::default()
    };
    let mut writer = Writer::new(Vec::new(), options).unwrap();
    writer.add_source("a.pgn", text.as_bytes()).unwrap();
    let bytes = writer.finish().unwrap().0;
    let archive = Archive::new(bytes.clone()).unwrap();
    let games = archive.texts().map(Result::unwrap).collect();
    (bytes, games)
}

/// What a server does with a request: its number from 0, the file, and the range that is asked for.
type Answer = dyn Fn(usize, &[u8], Range<usize>) -> Vec<u8> + Send + Sync;

/// A web server with one file.
struct Server {
    url: String,
    requests: Arc<Mutex<Vec<Range<usize>>>>,
}

impl Server {
    fn start(file: Vec<u8>, answer: Box<Answer>) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/games.pgna", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&requests);
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let Some(range) = read_request(&stream) else {
                    continue;
                };
                let number = {
                    let mut log = log.lock().unwrap();
                    log.push(range.clone());
                    log.len() - 1
                };
                // A client that has seen enough closes the connection.
                let _ = (&stream).write_all(&answer(number, &file, range));
            }
        });
        Server { url, requests }
    }

    fn requests(&self) -> Vec<Range<usize>> {
        self.requests.lock().unwrap().clone()
    }

    fn open(&self) -> Result<Archive, String> {
        Archive::open_url(&self.url, Limits::default()).map_err(|error| full(&error))
    }
}

/// An error with its cause.
fn full(error: &pgna::Error) -> String {
    let source = std::error::Error::source(error).map(ToString::to_string);
    format!("{error}: {}", source.unwrap_or_default())
}

/// The range that a request asks for.
fn read_request(stream: &TcpStream) -> Option<Range<usize>> {
    let lines = BufReader::new(stream).lines().map_while(Result::ok);
    let mut range = None;
    for line in lines.take_while(|line| !line.is_empty()) {
        let line = line.to_ascii_lowercase();
        if let Some(bytes) = line.strip_prefix("range: bytes=") {
            let (first, last) = bytes.split_once('-')?;
            range = Some(first.parse().ok()?..last.parse::<usize>().ok()? + 1);
        }
        assert!(!line.starts_with("accept-encoding: ") || line.ends_with("identity"));
    }
    range
}

fn answer(status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let len = body.len();
    let head =
        format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {len}\r\n{headers}\r\n");
    [head.as_bytes(), body].concat()
}

/// The answer of a server that does as the standard says (RFC 9110, "Range requests").
fn right(file: &[u8], range: &Range<usize>, more: &str) -> Vec<u8> {
    let size = file.len();
    let Some(body) = file
        .get(range.start..range.end.min(size))
        .filter(|body| !body.is_empty())
    else {
        return answer(
            "416 Range Not Satisfiable",
            &format!("Content-Range: bytes */{size}\r\n"),
            b"",
        );
    };
    let (first, last) = (range.start, range.start + body.len() - 1);
    let headers = format!("Content-Range: bytes {first}-{last}/{size}\r\n{more}");
    answer("206 Partial Content", &headers, body)
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
        .map(|range| range.end.min(size) - range.start)
        .sum();
    assert!(read <= size, "{read} of {size} bytes");
}

#[test]
fn the_program_takes_urls() {
    let (file, games) = archive();
    let server = Server::start(file, Box::new(|_, file, range| right(file, &range, "")));
    let run = |args: &[&str]| {
        let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_pgna"));
        program.args(args).output().unwrap()
    };
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
                    "Content-Range: bytes 0-65535/99999\r\n",
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
