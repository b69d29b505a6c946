"""Latency of a server's explorer for positions of its games, with percentiles.

    latency.py http://127.0.0.1:8064 NAME [--positions 500] [--where FILTER] [--paths FILE]

Positions are those of main lines of games chosen at random with a fixed seed, each once: first those
after up to 12 plies, then those of whole games. One request is answered at a time. The start
position is asked first, apart, since it may wait for the server to read the facts of all games.
The paths that were asked are written to FILE, for a program that measures load:

    PATHS=FILE wrk --threads 2 --connections 16 --duration 10 --latency -s paths.lua SERVER
"""

import argparse
import http.client
import json
import random
import time
import urllib.parse


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("server")
    arguments.add_argument("archive")
    arguments.add_argument("--positions", type=int, default=500)
    arguments.add_argument("--where")
    arguments.add_argument("--paths", type=argparse.FileType("w"))
    options = arguments.parse_args()
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(options.server).netloc)
    base = f"/api/archives/{urllib.parse.quote(options.archive)}"

    def get(path):
        start = time.perf_counter()
        connection.request("GET", path)
        answer = connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise SystemExit(f"{path}: {answer.status} {body[:300]}")
        return 1000 * (time.perf_counter() - start), json.loads(body)

    def explore(moves):
        query = {"play": ",".join(moves), "topGames": 4, "recentGames": 4}
        if options.where:
            query["where"] = options.where
        path = f"{base}/explorer?{urllib.parse.urlencode(query)}"
        if options.paths:
            print(path, file=options.paths)
        return get(path)[0]

    print(f"first request {explore([]):.1f} ms, second {explore(['g1h3']):.1f} ms")
    games = get(base)[1]["games"]
    randomness = random.Random(1)
    for name, most in (("first 12 plies", 12), ("whole games", 10_000)):
        lines = set()
        while len(lines) < options.positions:
            game = get(f"{base}/games/{randomness.randint(1, games)}")[1]
            is_standard = game["start_fen"] and game["start_fen"].startswith("rnbqkbnr/pppppppp/8/8")
            moves = [move["uci"] for move in game["moves"]]
            if moves and is_standard and "Variant" not in dict(game["tags"]):
                lines.add(tuple(moves[: randomness.randint(1, min(most, len(moves)))]))
        times = sorted(explore(moves) for moves in sorted(lines))
        shown = [f"p{p} {times[min(len(times) - 1, len(times) * p // 100)]:.1f}" for p in (50, 90, 99)]
        print(f"{name}: {', '.join(shown)}, greatest {times[-1]:.1f} ms of {len(times)}")


main()
