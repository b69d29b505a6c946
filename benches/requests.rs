//! The requests and bytes that reading an archive on a web server costs, as a table in Markdown.
//!
//!     cargo bench --bench requests --features http -- ARCHIVE…
//!
//! Each operation opens the archive anew, from a server in this process that answers requests for
//! ranges of bytes. What opening costs is in all rows but those that begin with "then". The player, the
//! ECO code and the position that is present are those of a game in the middle, after which the next
//! game and one of another block are read. The archive has more than 10,000 games. The last column is
//! the number of hits. `tests/it/reads.rs` has what each operation reads before it is read in pages.

use anyhow::{Context, Result, ensure};
use pgna::{Archive, Limits, PositionTest, Query, ReadAt};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// The games that are listed together.
const LISTED: usize = 50;

/// The distance to a game that is in another block.
const FAR: u64 = 5000;

/// The plies before the position that is present.
const PLIES: usize = 12;

/// A position in no game.
const ABSENT: &str = "7k/8/8/8/8/8/8/KNNN4 w - -";

fn main() -> Result<()> {
    let args = std::env::args().skip(1);
    let paths: Vec<String> = args.filter(|arg| arg != "--bench").collect();
    ensure!(!paths.is_empty(), "name an archive");
    for path in paths {
        let file = File::open(&path).with_context(|| path.clone())?;
        let server = Server::start(file)?;
        let archive = server.open()?;
        println!(
            "\n{path}: {} games, {} bytes\n",
            archive.games(),
            server.size
        );
        println!("| operation | requests | bytes | hits |\n|---|---|---|---|");
        measure(&server, &archive)?;
    }
    Ok(())
}

/// Prints the rows of an archive.
fn measure(server: &Server, archive: &Archive) -> Result<()> {
    ensure!(archive.games() > 2 * FAR, "the archive has too few games");
    let middle = archive.games().div_ceil(2);
    let game = archive.game(middle)?;
    server.row("open", |_| Ok(0))?;
    server.row("a game", |archive| game_of(archive, middle))?;
    let opened = server.open()?;
    opened.text(middle)?;
    server.counted("then the next game", || game_of(&opened, middle + 1))?;
    server.counted("then a game of another block", || {
        game_of(&opened, middle + FAR)
    })?;
    server.row(&format!("{LISTED} games listed"), |archive| {
        for number in (middle..=archive.games()).take(LISTED) {
            archive.head(number)?;
        }
        Ok(LISTED)
    })?;
    for (field, tag) in [("White", &b"White"[..]), ("ECO", b"ECO")] {
        let Some(value) = game.tag(tag) else {
            continue;
        };
        let value = String::from_utf8_lossy(value)
            .replace('\\', r"\\")
            .replace('"', "\\\"");
        let filter = format!("{field} = \"{value}\"");
        let query = Query {
            filter: Some(filter.parse()?),
            ..Query::default()
        };
        server.row(&filter, |archive| count(archive, &query))?;
    }
    let position = game.main_line_position(PLIES.min(game.main_line_plies().len()));
    let present = position.context("a game whose moves are verbatim")?.fen();
    for (name, fen) in [
        ("position, present", &present[..]),
        ("position, absent", ABSENT),
    ] {
        let query = Query {
            positions: vec![PositionTest::exact(fen)?],
            places: false,
            ..Query::default()
        };
        server.row(name, |archive| count(archive, &query))?;
    }
    Ok(())
}

/// Reads a game.
fn game_of(archive: &Archive, number: u64) -> Result<usize> {
    archive.text(number)?;
    Ok(1)
}

/// The games that match.
fn count(archive: &Archive, query: &Query) -> Result<usize> {
    let mut hits = 0;
    for hit in archive.query(query)? {
        hit?;
        hits += 1;
    }
    Ok(hits)
}

/// A web server with one file, which counts requests.
struct Server {
    url: String,
    size: u64,
    /// The requests, and their bytes.
    sent: Arc<Mutex<(u64, u64)>>,
}

impl Server {
    fn start(file: File) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let url = format!("http://{}/archive.pgna", listener.local_addr()?);
        let (size, file) = (file.size()?, Arc::new(file));
        let sent = Arc::new(Mutex::new((0, 0)));
        let counter = Arc::clone(&sent);
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (file, counter) = (Arc::clone(&file), Arc::clone(&counter));
                // A client that closes the connection ends the thread.
                std::thread::spawn(move || answer_all(&stream, &file, size, &counter));
            }
        });
        Ok(Server { url, size, sent })
    }

    fn open(&self) -> Result<Archive> {
        Ok(Archive::open_url(&self.url, Limits::default())?)
    }

    /// Prints what opening the archive and an operation cost, and the number of hits that it returns.
    fn row(&self, name: &str, operation: impl Fn(&Archive) -> Result<usize>) -> Result<()> {
        self.counted(name, || operation(&self.open()?))
    }

    fn counted(&self, name: &str, operation: impl Fn() -> Result<usize>) -> Result<()> {
        *self.counter() = (0, 0);
        let found = operation()?;
        let (requests, bytes) = *self.counter();
        println!("| {name} | {requests} | {bytes} | {found} |");
        Ok(())
    }

    fn counter(&self) -> std::sync::MutexGuard<'_, (u64, u64)> {
        self.sent.lock().unwrap_or_else(|error| error.into_inner())
    }
}

/// Answers the requests of a connection.
fn answer_all(
    mut stream: &TcpStream,
    file: &File,
    size: u64,
    sent: &Mutex<(u64, u64)>,
) -> Result<()> {
    let mut lines = BufReader::new(stream).lines();
    loop {
        let mut range = None;
        loop {
            let line = lines.next().context("the end of the connection")??;
            let line = line.to_ascii_lowercase();
            if let Some(bytes) = line.strip_prefix("range: bytes=") {
                let (first, last) = bytes.split_once('-').context("an open range")?;
                range = Some((first.parse::<u64>()?, last.parse::<u64>()?.min(size - 1)));
            }
            if line.is_empty() {
                break;
            }
        }
        let (first, last) = range.context("a request without a range")?;
        let len = last + 1 - first;
        if let Ok(mut sent) = sent.lock() {
            *sent = (sent.0 + 1, sent.1 + len);
        }
        let head = format!(
            "HTTP/1.1 206 Partial Content\r\nContent-Length: {len}\r\nContent-Range: bytes {first}-{last}/{size}\r\n\r\n"
        );
        let body = file.read_at(first, usize::try_from(len)?)?;
        stream.write_all(&[head.as_bytes(), &body].concat())?;
    }
}
