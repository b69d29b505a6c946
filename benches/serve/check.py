"""Compares the explorer of a server with counts by python-chess over the same games.

    check.py http://127.0.0.1:8064 NAME [--positions 200]

NAME is an archive of the server, from which python-chess gets the text of each game. The positions are those of the main lines
of games chosen at random, with a fixed seed; those in which the two read different moves of a game, such as moves in odd notation, are
left out and counted. Compared are the results and mean ratings of each move,
the order of the moves, and the first games of both lists.
"""

import argparse
import io
import json
import random
import sys
import urllib.parse
import urllib.request
from collections import defaultdict

import chess
import chess.pgn

RESULTS = {"1-0": 0, "1/2-1/2": 1, "0-1": 2}
SHOWN = 5


def number(text):
    return int(text) if text.isdecimal() and 0 < int(text) <= 9999 else 0


def month(headers):
    for name in ("Date", "UTCDate"):
        parts = headers.get(name, "").replace("-", ".").replace("/", ".").split(".")
        if len(parts) <= 3 and parts[0].isdecimal() and 0 < int(parts[0]) <= 9999:
            known = len(parts) > 1 and parts[1].isdecimal() and 1 <= int(parts[1]) <= 12
            return 13 * int(parts[0]) + (int(parts[1]) if known else 0)
    return 0


def fetch(path):
    with urllib.request.urlopen(path) as answer:
        return answer.read()


def games(archive):
    """The games that count, with their numbers."""
    for count in range(1, json.loads(fetch(archive))["games"] + 1):
        text = fetch(f"{archive}/games/{count}/pgn").decode("utf-8", "replace")
        try:
            game = chess.pgn.read_game(io.StringIO(text))
            if game is not None:
                game.board()
        except ValueError:
            # A FEN that is not one of chess.
            continue
        if game is None:
            continue
        variant = game.headers.get("Variant", "standard").lower()
        is_chess = variant in ("standard", "chess", "from position")
        # python-chess takes the result from the end of the moves where there is no tag.
        has_tag = "[Result " in text
        if is_chess and has_tag and game.headers.get("Result") in RESULTS:
            yield count, game


def played(board, moves):
    """The move of a line in each of its positions; where a position comes twice, the first."""
    by_position = {}
    for move in moves:
        by_position.setdefault(key(board), move.uci())
        board.push(move)
    return by_position


def odd_positions(archive, count, game):
    """The positions in which the server and python-chess read different moves of a game."""
    moves = json.loads(fetch(f"{archive}/games/{count}"))["moves"]
    ours = played(game.board(), [chess.Move.from_uci(move["uci"]) for move in moves])
    theirs = played(game.board(), game.mainline_moves())
    return {epd for epd in ours.keys() | theirs.keys() if ours.get(epd) != theirs.get(epd)}


def key(board):
    return board.epd(en_passant="legal")


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("server")
    arguments.add_argument("archive")
    arguments.add_argument("--positions", type=int, default=200)
    options = arguments.parse_args()
    archive = f"{options.server}/api/archives/{urllib.parse.quote(options.archive)}"
    randomness = random.Random(1)
    chosen, seen = {}, 0
    for _, game in games(archive):
        # A reservoir of games; of each one position.
        seen += 1
        at = len(chosen) if len(chosen) < options.positions else randomness.randrange(seen)
        if at < options.positions:
            board = game.board()
            moves = list(game.mainline_moves())
            for move in moves[: randomness.randrange(min(len(moves), 40) + 1)]:
                board.push(move)
            chosen[at] = board
    positions = {key(board): board for board in chosen.values()}
    counts = {epd: defaultdict(list) for epd in positions}
    odd = set()
    for count, game in games(archive):
        odd |= odd_positions(archive, count, game)
        board, known = game.board(), set()
        for move in game.mainline_moves():
            epd = key(board)
            if epd in counts and epd not in known:
                known.add(epd)
                counts[epd][board.san(move)].append((count, game.headers, board.turn))
            board.push(move)
    different = 0
    compared = {epd: board for epd, board in positions.items() if epd not in odd}
    for epd, board in compared.items():
        query = urllib.parse.urlencode({"fen": board.fen(), "moves": 300})
        found = answer_of(json.loads(fetch(f"{archive}/explorer?{query}")))
        expected = expected_of(counts[epd])
        if found != expected:
            different += 1
            if different <= SHOWN:
                print(f"{board.fen()}\n  found    {found}\n  expected {expected}")
    left_out = len(positions) - len(compared)
    print(f"{seen} games, {len(compared)} positions, {different} different, {left_out} left out")
    sys.exit(different > 0)


def answer_of(answer):
    moves = {
        move["san"]: (move["white"], move["draws"], move["black"], move.get("averageRating"))
        for move in answer["moves"]
    }
    totals = [move["white"] + move["draws"] + move["black"] for move in answer["moves"]]
    lists = [[int(game["id"]) for game in answer[name]] for name in ("topGames", "recentGames")]
    return moves, totals == sorted(totals, reverse=True), *lists


def expected_of(count):
    moves, all_games = {}, []
    for san, played in count.items():
        results, ratings = [0, 0, 0], []
        for game, headers, turn in played:
            results[RESULTS[headers["Result"]]] += 1
            elos = [number(headers.get("WhiteElo", "")), number(headers.get("BlackElo", ""))]
            ratings += [elos[0 if turn else 1]] if elos[0 if turn else 1] else []
            all_games.append((sum(elos), month(headers), game))
        mean = (sum(ratings) + len(ratings) // 2) // len(ratings) if ratings else None
        moves[san] = (*results, mean)
    top = [game for *_, game in sorted(all_games, reverse=True)[:15]]
    recent = [game for _, _, game in sorted(all_games, key=lambda game: game[1:], reverse=True)]
    return moves, True, top, [game for game in recent if game not in top][:15]


main()
