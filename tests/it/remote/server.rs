//! A web server with one file, which answers as a test says.

use pgna::{Archive, Limits, PackOptions, Writer};
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::ops::Range;
use std::sync::{Arc, Mutex};

/// An archive of several hundred KiB, with its games.
pub(super) fn archive() -> (Vec<u8>, Vec<Vec<u8>>) {
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
pub(super) type Answer = dyn Fn(usize, &[u8], Range<usize>) -> Vec<u8> + Send + Sync;

/// A request for a range of bytes.
#[derive(Debug, Clone)]
pub(super) struct Request {
    /// As in `/games.pgna`.
    pub(super) path: String,
    /// The value of `If-Match`.
    pub(super) tag: Option<String>,
    /// Whether it has a signature or a password.
    pub(super) is_authorized: bool,
    pub(super) range: Range<usize>,
}

/// A web server with one file.
pub(super) struct Server {
    pub(super) url: String,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    pub(super) fn start(file: Vec<u8>, answer: Box<Answer>) -> Server {
        let answer = move |number, file: &[u8], request: &Request| {
            answer(number, file, request.range.clone())
        };
        Server::start_with(file, answer)
    }

    /// A server whose answers depend on more than the range.
    pub(super) fn start_with(
        file: Vec<u8>,
        answer: impl Fn(usize, &[u8], &Request) -> Vec<u8> + Send + Sync + 'static,
    ) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/games.pgna", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&requests);
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let Some(request) = read_request(&stream) else {
                    continue;
                };
                let number = {
                    let mut log = log.lock().unwrap();
                    log.push(request.clone());
                    log.len() - 1
                };
                // A client that has seen enough closes the connection.
                let _ = (&stream).write_all(&answer(number, &file, &request));
            }
        });
        Server { url, requests }
    }

    pub(super) fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    pub(super) fn open(&self) -> Result<Archive, String> {
        Archive::open_url(&self.url, Limits::default()).map_err(|error| full(&error))
    }
}

/// An error with its cause.
pub(super) fn full(error: &pgna::Error) -> String {
    let source = std::error::Error::source(error).map(ToString::to_string);
    format!("{error}: {}", source.unwrap_or_default())
}

/// A request for a range; `None` for one without.
fn read_request(stream: &TcpStream) -> Option<Request> {
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let path = lines.next()?.split(' ').nth(1)?.to_owned();
    let (mut range, mut tag, mut is_authorized) = (None, None, false);
    for line in lines.take_while(|line| !line.is_empty()) {
        let (name, value) = line.split_once(": ")?;
        match &name.to_ascii_lowercase()[..] {
            "range" => {
                let (first, last) = value.strip_prefix("bytes=")?.split_once('-')?;
                range = Some(first.parse().ok()?..last.parse::<usize>().ok()? + 1);
            }
            "if-match" => tag = Some(value.to_owned()),
            "authorization" => is_authorized = true,
            "accept-encoding" => assert_eq!(value, "identity"),
            _ => {}
        }
    }
    Some(Request {
        path,
        tag,
        is_authorized,
        range: range?,
    })
}

pub(super) fn answer(status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let len = body.len();
    let head =
        format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {len}\r\n{headers}\r\n");
    [head.as_bytes(), body].concat()
}

/// The answer of a server that does as the standard says (RFC 9110, "Range requests").
pub(super) fn right(file: &[u8], range: &Range<usize>, more: &str) -> Vec<u8> {
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
