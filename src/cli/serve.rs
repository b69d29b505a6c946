//! `pgna serve`.

use super::common::{Common, ReaderArgs};
use super::errors::{Exit, Failure, print_message};
use super::open::{refuse_url, warn};
use super::texts::TextArgs;
use crate::Indexes;
use crate::serve::{Library, ServeOptions, serve};
use clap::Args as ClapArgs;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Browse games and explore openings in a web browser
///
/// Serves the archives to this machine, over HTTP, until Control-C: a page with the games, a board
/// and an opening explorer; the routes of the Lichess opening explorer, so that its clients need
/// nothing but this address; and everything as JSON (see /api/openapi.json). It only reads. Games
/// that `pgna append` adds are there at the next request.
#[derive(Debug, Clone, ClapArgs)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ServeArgs {
    /// The archives
    #[arg(value_name = "ARCHIVE", required = true)]
    archives: Vec<PathBuf>,
    /// The address, or a port of this machine; port 0 takes a free one
    ///
    /// 127.0.0.1 serves this machine alone. 0.0.0.0 serves all that can reach it, without a
    /// password and without encryption: put a web server with both before it.
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8064", value_parser = address)]
    listen: SocketAddr,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// A name by which clients may call this server, beside localhost and IP addresses
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,
    /// An origin whose pages may read the answers, such as `https://example.org`
    #[arg(long, value_name = "ORIGIN")]
    allow_origin: Vec<String>,
    /// The longest time for an answer, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
    #[command(flatten)]
    reader: ReaderArgs,
    #[command(flatten)]
    texts: TextArgs,
}

const EXAMPLES: &str = "\
Examples:
  pgna serve games.pgna --open
  pgna serve masters.pgna mine.pgna --listen 127.0.0.1:9000 -v
  curl 'http://127.0.0.1:8064/masters?play=e2e4,c7c5'

Positions are found quickly in archives with full indexes: pgna index games.pgna";

/// An address, a name with a port (`localhost:8064`), or a port of this machine alone.
fn address(text: &str) -> Result<SocketAddr, String> {
    if let Ok(port) = text.parse() {
        return Ok(SocketAddr::from(([127, 0, 0, 1], port)));
    }
    let addresses = text.to_socket_addrs();
    let first = addresses.map(|mut addresses| addresses.next());
    let why = "write an address and a port: 127.0.0.1:8064, localhost:8064";
    first.ok().flatten().ok_or_else(|| why.to_owned())
}

/// Serves archives until an interrupt.
pub(crate) fn run(args: &ServeArgs, common: &Common) -> Result<Exit, Failure> {
    for path in &args.archives {
        refuse_url(path)?;
        let archive = args.texts.open(path, &args.reader, common)?;
        let is_full = archive.indexes().ok().flatten() == Some(Indexes::Full);
        if archive.games() > 0 && !is_full && !common.quiet {
            print_message(&format!(
                "{0}: warning: without full indexes positions take long: pgna index {0}",
                path.display()
            ));
        }
        warn(path, &archive.warnings(), common);
    }
    let (texts, reader, of_open) = (args.texts.clone(), args.reader.clone(), common.clone());
    let open = move |path: &Path| {
        let opened = texts.open(path, &reader, &of_open);
        opened.map_err(|failure| failure.message())
    };
    let library = Library::open(&args.archives, Box::new(open)).map_err(Failure::usage)?;
    let options = ServeOptions {
        listen: args.listen,
        hosts: args.allow_host.clone(),
        origins: args.allow_origin.clone(),
        time_limit: Duration::from_secs(args.timeout),
        is_verbose: common.verbose,
    };
    let served = serve(library, &options, |address| {
        let url = format!("http://{address}/");
        if !common.quiet {
            print_message(&format!("serving at {url} until Control-C"));
        }
        if args.open
            && let Err(error) = open::that_detached(&url)
        {
            print_message(&format!("cannot open a browser: {error}"));
        }
    });
    let failure =
        |error: &std::io::Error| Failure::usage(format!("--listen {}: {error}", args.listen));
    served.map_err(|error| failure(&error))?;
    Ok(Exit::Done)
}
