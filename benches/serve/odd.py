"""Sends odd requests to a server, and then asks whether it still answers.

    odd.py http://127.0.0.1:8064 [--requests 1000]

Paths are joined at random, with a fixed seed, from pieces of routes, path tricks, long and broken
texts. Beside them, some clients send their request slowly, and some never read the answer. Prints
how many answers had each status; a status of 500 or more, or none, is a fault.
"""

import argparse
import random
import socket
import sys
import time
import urllib.parse
from collections import Counter

PIECES = [
    "/", "/masters", "/lichess", "/player", "/api", "/api/archives", "/api/archives/", "/games", "/17",
    "/pgn", "/tags/", "/stats", "/explorer", "/file", "/..", "/../../etc/passwd", "/%2e%2e", "/%2f",
    "/.git/config", "//", "/%00", "/%ff", "/%c3%28", "/a/b/c", "?", "&", "=", "?fen=", "&play=",
    "&where=", "?limit=", "&offset=", "&sort=-", "?pattern=", "?material=", "&flip=1", "e2e4,e7e5",
    "99999999999999999999999", "-1", "White%20%3D%20x", "(((((((", "%22", "'", "<script>", "%0d%0aX:y",
    "a" * 5000, "%F0%9F%98%80", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR%20w%20KQkq%20-",
    "8/8/8/8/8/8/8/8%20w", "K" * 300, "~%20/(a+)+$/",
]
METHODS = ["GET"] * 8 + ["HEAD", "POST", "PUT", "DELETE", "OPTIONS", "BREW"]


def ask(host, port, request, pause=0.0):
    """The status of the answer, 0 for none."""
    with socket.create_connection((host, port), timeout=60) as connection:
        for part in [request[:10], request[10:]] if pause else [request]:
            connection.sendall(part)
            time.sleep(pause)
        answer = b""
        while b"\r\n" not in answer:
            more = connection.recv(4096)
            if not more:
                break
            answer += more
    words = answer.split(b" ", 2)
    return int(words[1]) if len(words) > 1 and words[1].isdigit() else 0


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("server")
    arguments.add_argument("--requests", type=int, default=1000)
    options = arguments.parse_args()
    url = urllib.parse.urlsplit(options.server)
    randomness = random.Random(1)
    silent = []
    for _ in range(50):
        # These ask for the longest answer there is, and never read.
        connection = socket.create_connection((url.hostname, url.port))
        connection.sendall(b"GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n")
        silent.append(connection)
    statuses, faults = Counter(), []
    for number in range(options.requests):
        target = "/" + "".join(randomness.choices(PIECES, k=randomness.randint(1, 6))).lstrip("/")
        method = randomness.choice(METHODS)
        head = f"{method} {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        status = ask(url.hostname, url.port, head.encode(), 0.02 if number % 50 == 0 else 0.0)
        statuses[status] += 1
        if status == 0 or status >= 500:
            faults.append((status, method, target[:200]))
    for connection in silent:
        connection.close()
    for fault in faults[:10]:
        print(*fault)
    alive = ask(url.hostname, url.port, b"GET /masters HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    print(dict(sorted(statuses.items())), f"then /masters: {alive}")
    sys.exit(bool(faults) or alive != 200)


main()
