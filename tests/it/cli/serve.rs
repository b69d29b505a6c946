//! The server, asked over TCP as clients ask it.

use super::Workspace;
use serde_json::Value;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Duration;

/// A running server.
struct Server {
    child: Child,
    address: String,
}

/// An answer.
struct Answer {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    /// The value of a header, whose name is in lower case.
    fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines();
        let mut values = lines.filter_map(|line| line.split_once(": "));
        values
            .find(|(other, _)| other.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
    }

    #[track_caller]
    fn has_status(self, status: u16) -> Answer {
        assert_eq!(
            self.status,
            status,
            "{}",
            String::from_utf8_lossy(&self.body)
        );
        self
    }
}

impl Server {
    fn start(workspace: &Workspace, args: &[&str]) -> Server {
        let mut child = workspace
            .command(&["serve", "--listen", "127.0.0.1:0"])
            .args(args)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let address = lines.find_map(|line| {
            let line = line.unwrap();
            let (_, rest) = line.split_once("http://")?;
            Some(rest.split('/').next()?.to_owned())
        });
        // The pipe is read to its end, so that the server can write to it.
        std::thread::spawn(move || lines.for_each(drop));
        Server {
            child,
            address: address.unwrap(),
        }
    }

    /// Sends bytes and reads the answer until the server closes the connection.
    fn send(&self, request: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        stream.write_all(request).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n");
        let Some(end) = end else {
            return Answer {
                status: 0,
                head: String::new(),
                body: answer,
            };
        };
        let head = String::from_utf8_lossy(&answer[..end]).into_owned();
        Answer {
            status: head.split(' ').nth(1).unwrap().parse().unwrap(),
            head,
            body: answer[end + 4..].to_vec(),
        }
    }

    fn get_with(&self, target: &str, headers: &str) -> Answer {
        let host = match headers.contains("Host: ") {
            true => String::new(),
            false => format!("Host: {}\r\n", self.address),
        };
        let request = format!("GET {target} HTTP/1.1\r\n{host}Connection: close\r\n{headers}\r\n");
        self.send(request.as_bytes())
    }

    fn get(&self, target: &str) -> Answer {
        self.get_with(target, "")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const GAMES: &str = "\
[Event \"Rated Blitz game\"]
[Site \"https://lichess.org/abcd1234\"]
[White \"<b>Ann & Co</b>\"]
[Black \"Bob\"]
[Result \"1-0\"]
[Date \"2020.05.17\"]
[WhiteElo \"2100\"]
[BlackElo \"1900\"]
[TimeControl \"300+0\"]
[ECO \"C20\"]
[Opening \"King's Pawn Game\"]

1. e4 { [%clk 0:05:00] [%eval 0.3] good [%cal Ge2e4] } 1... e5 $6 (1... c5 { Sicilian } 2. Nf3) 2. Nf3 1-0

[Event \"Club\"]
[White \"Bob\"]
[Black \"Cid\"]
[Result \"1/2-1/2\"]
[Date \"1999.??.??\"]

1. e4 e5 2. Nc3 1/2-1/2

[Event \"Club\"]
[White \"Cid\"]
[Black \"Bob\"]
[Result \"*\"]

1. d4 Ke5 *
";

fn served() -> (Workspace, Server) {
    let workspace = Workspace::new();
    workspace.write("games.pgn", GAMES);
    workspace
        .run(&["pack", "games.pgn", "--index", "full"])
        .exits(0);
    let server = Server::start(&workspace, &["games.pgna"]);
    (workspace, server)
}

#[test]
fn the_explorer_answers_as_its_clients_expect() {
    let (_workspace, server) = served();
    let masters = server.get("/masters").has_status(200).json();
    assert_eq!(masters["white"], 1);
    assert_eq!(masters["draws"], 1);
    assert_eq!(masters["moves"].as_array().unwrap().len(), 1);
    assert_eq!(masters["moves"][0]["uci"], "e2e4");
    assert_eq!(masters["moves"][0]["averageRating"], 2100);
    assert_eq!(masters["topGames"][0]["id"], "1");
    assert_eq!(masters["topGames"][0]["month"], "2020-05");
    assert_eq!(masters["topGames"][1]["year"], 1999);
    assert!(masters.get("recentGames").is_none());
    let text = server.get("/masters/pgn/2").has_status(200);
    assert_eq!(
        text.header("content-type"),
        Some("application/vnd.chess-pgn")
    );
    assert!(text.text().contains("2. Nc3 1/2-1/2"));

    let lichess = server.get("/lichess?play=e2e4,e7e5&speeds=blitz&ratings=2000&history=1");
    let lichess = lichess.has_status(200).json();
    assert_eq!(lichess["moves"][0]["san"], "Nf3");
    assert_eq!(lichess["moves"][0]["game"]["id"], "abcd1234");
    assert_eq!(
        lichess["moves"][0]["game"]["white"]["name"],
        "<b>Ann & Co</b>"
    );
    assert_eq!(lichess["opening"]["name"], "King's Pawn Game");
    assert_eq!(lichess["history"][0]["month"], "2020-05");
    for none in [
        "speeds=bullet",
        "ratings=1800",
        "since=2021-01",
        "since=1999-06&until=2020-04",
        "modes=casual",
    ] {
        let answer = server
            .get(&format!("/lichess?play=e2e4,e7e5&{none}"))
            .json();
        assert_eq!(answer["moves"].as_array().unwrap().len(), 0, "{none}");
    }

    let player = server
        .get("/player?player=BOB&color=black&play=e2e4")
        .has_status(200);
    assert_eq!(player.header("content-type"), Some("application/x-ndjson"));
    let player = player.json();
    assert_eq!(player["moves"][0]["averageOpponentRating"], 2100);
    assert_eq!(player["moves"][0]["performance"], 1300);
    assert_eq!(player["recentGames"][0]["mode"], "rated");
}

#[test]
fn games_come_as_pages_and_as_data() {
    let (_workspace, server) = served();
    let archives = server.get("/api/archives").has_status(200).json();
    assert_eq!(archives[0]["name"], "games");
    assert_eq!(archives[0]["games"], 3);
    assert_eq!(archives[0]["has_index"], true);

    let games = "/api/archives/games/games";
    let first = server
        .get(&format!("{games}?limit=2"))
        .has_status(200)
        .json();
    assert_eq!((&first["total"], &first["next"]), (&3.into(), &"2".into()));
    assert_eq!(first["games"][0]["white_elo"], 2100);
    assert_eq!(first["games"][0]["plies"], 3);
    let rest = server
        .get(&format!("{games}?limit=2&cursor=2"))
        .has_status(200)
        .json();
    assert_eq!(rest["games"].as_array().unwrap().len(), 1);
    assert_eq!(rest["next"], Value::Null);

    let numbers = |target: &str| -> Vec<u64> {
        let page = server
            .get(&format!("{games}?{target}"))
            .has_status(200)
            .json();
        let games = page["games"].as_array().unwrap().iter();
        games.map(|game| game["number"].as_u64().unwrap()).collect()
    };
    assert_eq!(numbers("where=player%20~%20cid"), [2, 3]);
    assert_eq!(numbers("sort=-Date"), [1, 2, 3]);
    assert_eq!(numbers("sort=Date&where=plies%20%3E%202"), [2, 1]);
    assert_eq!(numbers("after=1.%20e4%20e5"), [1, 2]);
    assert_eq!(numbers("pattern=Nc3"), [2]);
    assert_eq!(
        numbers("material=KRRBBNNQPPPPPPPPkrrbbnnqpppppppp&sort=-White"),
        [3, 2, 1]
    );
    assert_eq!(numbers("offset=7"), [0u64; 0]);

    let game = server.get(&format!("{games}/1")).has_status(200).json();
    assert_eq!(
        game["tags"][2],
        serde_json::json!(["White", "<b>Ann & Co</b>"])
    );
    let first = &game["moves"][0];
    assert_eq!(first["clock"], 300.0);
    assert_eq!(first["eval"], serde_json::json!({"cp": 30}));
    assert_eq!(first["comments"], serde_json::json!(["good"]));
    assert_eq!(first["shapes"]["arrows"], serde_json::json!(["Ge2e4"]));
    assert_eq!(game["moves"][1]["nags"], serde_json::json!([6]));
    assert_eq!(game["moves"][1]["variations"][0]["moves"][1]["san"], "Nf3");
    assert_eq!(
        (&game["previous"], &game["next"]),
        (&Value::Null, &2.into())
    );
    let broken = server.get(&format!("{games}/3")).has_status(200).json();
    assert_eq!(broken["moves"].as_array().unwrap().len(), 1);
    assert!(broken["moves_end_at"].as_str().unwrap().contains("Ke5"));
}

#[test]
fn players_tags_and_statistics_are_counted() {
    let (_workspace, server) = served();
    let players = server
        .get("/api/archives/games/players?prefix=b")
        .has_status(200)
        .json();
    assert_eq!(
        players["players"][0],
        serde_json::json!({"name": "Bob", "games": 3})
    );
    let record = server
        .get("/api/archives/games/player?name=Bob")
        .has_status(200)
        .json();
    assert_eq!(
        record["white"],
        serde_json::json!({"games": 1, "won": 0, "drawn": 1, "lost": 0})
    );
    assert_eq!(record["black"]["games"], 2);
    assert_eq!(record["black"]["lost"], 1);
    assert_eq!(record["opponents"][0]["name"], "Cid");
    assert_eq!(record["years"][0]["year"], 1999);
    assert_eq!(record["best_elo"], 1900);
    assert_eq!(record["openings"]["black"][0]["eco"], "C20");
    let tags = server
        .get("/api/archives/games/tags")
        .has_status(200)
        .json();
    assert!(tags["tags"].as_array().unwrap().contains(&"Opening".into()));
    let values = server
        .get("/api/archives/games/tags/Event?prefix=bli")
        .has_status(200)
        .json();
    assert_eq!(values["values"][0]["value"], "Rated Blitz game");
    let stats = server
        .get("/api/archives/games/stats?where=plies%20%3E%202")
        .has_status(200)
        .json();
    assert_eq!(stats["white"]["games"], 2);
    assert_eq!(stats["years"]["2020"], 1);
}

#[test]
fn ranges_of_the_file_are_its_bytes() {
    let (workspace, server) = served();
    let bytes = workspace.read("games.pgna");
    let whole = server.get("/api/archives/games/file").has_status(200);
    assert_eq!(whole.body, bytes);
    assert_eq!(whole.header("content-type"), Some("application/vnd.pgna"));
    let part = server.get_with("/api/archives/games/file", "Range: bytes=10-19\r\n");
    let part = part.has_status(206);
    assert_eq!(part.body, bytes[10..20]);
    let range = format!("bytes 10-19/{}", bytes.len());
    assert_eq!(part.header("content-range"), Some(&*range));
    let beyond = server.get_with("/api/archives/games/file", "Range: bytes=99999999-\r\n");
    beyond.has_status(416).json()["error"].as_str().unwrap();
}

#[test]
fn appended_games_are_served() {
    let (workspace, server) = served();
    workspace.write(
        "more.pgn",
        "[Event \"More\"]\n[Result \"0-1\"]\n\n1. e4 c5 0-1\n",
    );
    workspace
        .run(&["append", "games.pgna", "more.pgn"])
        .exits(0);
    let archives = server.get("/api/archives").has_status(200).json();
    assert_eq!(archives[0]["games"], 4);
    assert_eq!(server.get("/masters").json()["black"], 1);
}

#[test]
fn several_archives_are_named_and_joined() {
    let workspace = Workspace::new();
    workspace.write("one/games.pgn", GAMES);
    workspace.write(
        "two/games.pgn",
        "[Result \"0-1\"]\n\n1. e4 c5 0-1\n\n[Result \"0-1\"]\n\n1. a3 e5 0-1\n",
    );
    for folder in ["one", "two"] {
        let (pgn, pgna) = (
            format!("{folder}/games.pgn"),
            format!("{folder}/games.pgna"),
        );
        workspace.run(&["pack", &pgn, "-o", &pgna]).exits(0);
    }
    let server = Server::start(&workspace, &["one/games.pgna", "two/games.pgna"]);
    let all = server.get("/masters").has_status(200).json();
    assert_eq!((&all["white"], &all["black"]), (&1.into(), &2.into()));
    let a3 = &all["moves"][1];
    assert_eq!(
        (&a3["uci"], &a3["game"]["id"]),
        (&"a2a3".into(), &"2-2".into())
    );
    assert!(
        server
            .get("/masters/pgn/2-2")
            .has_status(200)
            .text()
            .contains("1. a3")
    );
    let one = server
        .get("/masters?archive=games-2")
        .has_status(200)
        .json();
    assert_eq!(one["white"], 0);
    assert_eq!(
        server
            .get("/api/archives/games-2/games/2")
            .has_status(200)
            .json()["result"],
        "0-1"
    );
}

#[test]
fn requests_of_other_hosts_and_pages_are_refused() {
    let (workspace, server) = served();
    for host in [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example:80",
        "",
    ] {
        let answer = server.get_with("/api/archives", &format!("Host: {host}\r\n"));
        assert_eq!(answer.status, 421, "{host}");
    }
    for host in ["localhost", "LOCALHOST:8064", "[::1]:80", "127.0.0.1"] {
        let answer = server.get_with("/api/archives", &format!("Host: {host}\r\n"));
        assert_eq!(answer.status, 200, "{host}");
    }
    let answer = server.get_with("/api/archives", "Origin: https://a.example\r\n");
    assert_eq!(answer.header("access-control-allow-origin"), None);
    let args = [
        "games.pgna",
        "--allow-host",
        "chess.example",
        "--allow-origin",
        "https://a.example",
    ];
    let server = Server::start(&workspace, &args);
    let answer = server.get_with("/api/archives", "Origin: https://a.example\r\n");
    assert_eq!(
        answer.header("access-control-allow-origin"),
        Some("https://a.example")
    );
    let answer = server.get_with("/api/archives", "Origin: https://b.example\r\n");
    assert_eq!(answer.header("access-control-allow-origin"), None);
    assert_eq!(
        server
            .get_with("/api/archives", "Host: chess.example\r\n")
            .status,
        200
    );
    let policy = answer.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"));
}

#[test]
fn pages_of_other_sites_give_no_work() {
    let (workspace, server) = served();
    let foreign =
        "Origin: https://a.example\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: cors\r\n";
    server.get_with("/masters", foreign).has_status(403);
    let link = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n";
    server.get_with("/masters", link).has_status(200);
    let args = ["games.pgna", "--allow-origin", "https://a.example"];
    let server = Server::start(&workspace, &args);
    server.get_with("/masters", foreign).has_status(200);
}

#[test]
fn an_opening_is_that_of_the_selected_games_of_all_archives() {
    let workspace = Workspace::new();
    let game = |white: &str, name: &str| {
        format!("[White \"{white}\"]\n[Result \"1-0\"]\n[Opening \"{name}\"]\n\n1. e4 1-0\n\n")
    };
    workspace.write(
        "one.pgn",
        game("Ann", "French Defense").repeat(600) + &game("Bob", "Alekhine Defense"),
    );
    workspace.write("two.pgn", game("Bob", "Caro-Kann Defense").repeat(2));
    for name in ["one", "two"] {
        workspace.run(&["pack", &format!("{name}.pgn")]).exits(0);
    }
    let server = Server::start(&workspace, &["one.pgna", "two.pgna"]);
    let opening =
        |target: &str| server.get(target).has_status(200).json()["opening"]["name"].clone();
    assert_eq!(opening("/masters?archive=one"), "French Defense");
    assert_eq!(
        opening("/masters?archive=one&where=White%20=%20Bob"),
        "Alekhine Defense"
    );
    assert_eq!(opening("/masters?archive=two"), "Caro-Kann Defense");
    assert_eq!(opening("/masters"), Value::Null);
}

#[test]
fn selections_of_different_texts_are_different() {
    let (_workspace, server) = served();
    let games = |target: &str| {
        let answer = server.get(target).has_status(200).json();
        ["white", "draws", "black"].map(|result| answer[result].as_u64().unwrap())
    };
    let other = "/player?color=white&player=Bob%0Aplies%3E2";
    assert_eq!(games(other), [0, 0, 0]);
    let filtered = "/player?color=white&player=Bob&where=plies%3E2%0A";
    assert_eq!(games(filtered), [0, 1, 0]);
}

#[test]
fn wrong_requests_are_answered_with_what_is_wrong() {
    let (_workspace, server) = served();
    for (target, status, what) in [
        ("/masters?fen=nonsense", 400, "fen"),
        ("/masters?play=e2e5", 400, "e2e5"),
        ("/masters?since=soon", 400, "since"),
        ("/masters?topGames=-1", 400, "topGames"),
        ("/masters?where=White%20%3D", 400, "where"),
        ("/lichess?speeds=slow", 400, "speeds"),
        ("/lichess?variant=atomic", 400, "variant"),
        ("/player?player=Bob", 400, "color"),
        ("/masters?archive=other", 404, "other"),
        ("/masters/pgn/9", 404, "9"),
        ("/masters/pgn/2-1", 404, "2-1"),
        ("/masters/pgn/0-1", 404, "0-1"),
        ("/api/archives/other/games", 404, "other"),
        ("/api/archives/games/games/0", 404, "0"),
        ("/api/archives/games/games/4", 404, "1 to 3"),
        ("/api/archives/games/games/x", 404, "x"),
        ("/api/archives/games/games?limt=2", 400, "limt"),
        ("/api/archives/games/games?limit=0", 400, "limit"),
        (
            "/api/archives/games/games?sort=Nonsense%20%20x",
            400,
            "sort",
        ),
        (
            "/api/archives/games/games?sort=Date,Date,Date,Date,Date,Date,Date,Date,Date",
            400,
            "8 keys",
        ),
        ("/api/archives/games/games?fen=x&after=e4", 400, "after"),
        ("/api/archives/games/tags/Nonsense", 404, "Nonsense"),
        ("/api/archives/games/player?name=Nobody", 404, "Nobody"),
        ("/api/nonsense", 404, "openapi"),
        ("/nonsense", 404, "openapi"),
        ("/api/archives/%FF", 400, "path"),
        ("/api/archives/games/tags/%FF", 400, "path"),
        ("/../../etc/passwd", 404, "openapi"),
        ("/api/archives/..%2f..%2fetc%2fpasswd/file", 404, "archive"),
        ("/assets/..%2f..%2fCargo.toml", 404, "openapi"),
    ] {
        let answer = server.get(target).has_status(status);
        let error = answer.json()["error"].as_str().unwrap().to_owned();
        assert!(error.contains(what), "{target}: {error}");
    }
    let post = b"POST /masters HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
    assert_eq!(server.send(post).status, 405);
}

#[test]
fn answers_say_which_games_they_lack() {
    let workspace = Workspace::new();
    let game = "[White \"Ann\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n";
    workspace.write("games.pgn", game.repeat(100));
    let pack = [
        "pack",
        "games.pgn",
        "--index",
        "full",
        "--block-games",
        "10",
    ];
    workspace.run(&pack).exits(0);
    let mut bytes = workspace.unprotect("games.pgna");
    // A bit of one block, found by trying.
    let games = |bytes: &[u8]| {
        workspace.write("damaged.pgna", bytes);
        let list = workspace.run(&["list", "damaged.pgna", "--json"]);
        (list.code, list.text().lines().count())
    };
    let damaged = (0..bytes.len()).rev().step_by(7).find(|at| {
        bytes[*at] ^= 1;
        let is_one_block = games(&bytes) == (4, 90);
        bytes[*at] ^= 1;
        is_one_block
    });
    bytes[damaged.unwrap()] ^= 1;
    workspace.write("damaged.pgna", &bytes);
    let server = Server::start(&workspace, &["damaged.pgna"]);
    let archive = "/api/archives/damaged";
    for target in [
        "/masters".to_owned(),
        format!("{archive}/stats"),
        format!("{archive}/games?where=White=Ann"),
        format!("{archive}/games?where=White=Ann&sort=-White,plies"),
        format!("{archive}/players?prefix=a"),
        format!("{archive}/player?name=Ann"),
        format!("{archive}/tags/White"),
        "/player?player=Ann&color=white".to_owned(),
    ] {
        let answer = server.get(&target).has_status(200).json();
        assert_eq!(answer["unread"].as_array().unwrap().len(), 1, "{target}");
    }
    assert_eq!(server.get("/masters").json()["white"], 90);
}

#[test]
fn archives_that_can_be_read_are_served_beside_others() {
    let (workspace, _) = served();
    workspace.write("other.pgn", "[Result \"0-1\"]\n\n1. e4 c5 0-1\n");
    workspace.run(&["pack", "other.pgn"]).exits(0);
    let server = Server::start(&workspace, &["games.pgna", "other.pgna"]);
    assert_eq!(server.get("/masters").has_status(200).json()["black"], 1);
    workspace.write("other.pgna", "no archive any more");
    let archives = server.get("/api/archives").has_status(200).json();
    assert!(archives[0].get("error").is_none());
    assert_eq!(archives[1]["name"], "other");
    assert!(archives[1]["error"].as_str().unwrap().contains("other"));
    let all = server.get("/masters").has_status(200).json();
    assert_eq!((&all["white"], &all["black"]), (&1.into(), &0.into()));
    assert_eq!(all["unread"].as_array().unwrap().len(), 1);
    server.get("/masters?archive=other").has_status(500);
    server.get("/api/archives/other/file").has_status(500);
}

#[test]
fn sort_keys_are_of_tags_that_games_have() {
    let (_workspace, server) = served();
    let sorted = |key: &str| server.get(&format!("/api/archives/games/games?sort={key}"));
    sorted("-Nonsense").has_status(400);
    sorted("plies,-elo.mean,Event").has_status(200);
}

#[test]
fn every_described_route_is_there() {
    let (_workspace, server) = served();
    let description = server.get("/api/openapi.json").has_status(200).json();
    let parameters = &description["components"]["parameters"];
    for (path, operations) in description["paths"].as_object().unwrap() {
        let mut target = path.replace("{archive}", "games");
        let mut query = String::new();
        let of_path = operations["get"]["parameters"].as_array().unwrap();
        for parameter in of_path {
            let parameter = match parameter["$ref"].as_str() {
                Some(name) => &parameters[name.rsplit('/').next().unwrap()],
                None => parameter,
            };
            let name = parameter["name"].as_str().unwrap();
            let example = parameter["example"].as_str();
            if parameter["in"] == "path" && name != "archive" {
                target = target.replace(&format!("{{{name}}}"), example.unwrap());
            } else if parameter["required"] == true && parameter["in"] == "query" {
                let value = match name {
                    "name" | "player" => "Bob",
                    "color" => "white",
                    _ => panic!("{name}"),
                };
                write!(query, "&{name}={value}").unwrap();
            }
        }
        let answer = server.get(&format!("{target}?{}", query.trim_start_matches('&')));
        let answer = answer.has_status(200);
        let described = operations["get"]["responses"]["200"]["content"]
            .as_object()
            .unwrap();
        let media_type = answer.header("content-type").unwrap();
        assert!(described.contains_key(media_type), "{path}: {media_type}");
    }
}

#[test]
fn odd_bytes_do_not_end_the_server() {
    let (_workspace, server) = served();
    let long = format!(
        "GET /masters?fen={} HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "a".repeat(1 << 20)
    );
    let many = format!("GET / HTTP/1.1\r\n{}\r\n", "X: y\r\n".repeat(10_000));
    for request in [
        &b"\r\n\r\n\r\n"[..],
        b"GET\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00",
        b"GET /%ff%fe HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        b"GET /masters?%ff=%00 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        b"GET http://[::1 HTTP/1.1\r\n\r\n",
        long.as_bytes(),
        many.as_bytes(),
    ] {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        // The server may close the connection before it has read everything.
        let _ = stream.write_all(request);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let _ = stream.read_to_end(&mut Vec::new());
    }
    server.get("/masters").has_status(200);
}

#[test]
fn the_server_says_why_it_does_not_start() {
    let workspace = Workspace::packed();
    workspace
        .run(&["serve", "none.pgna"])
        .exits(2)
        .says("none.pgna");
    workspace
        .run(&["serve", "games.pgn"])
        .exits(4)
        .says("games.pgn");
    let busy = Server::start(&workspace, &["games.pgna"]);
    workspace
        .run(&["serve", "games.pgna", "--listen", &busy.address])
        .exits(2)
        .says(&busy.address);
    workspace
        .run(&["serve", "games.pgna", "--allow-origin", "nonsense"])
        .exits(2)
        .says("nonsense");
}
