"""The columns as documented in src/arrow/columns.rs, written down a second time."""

import pyarrow as pa

_COMMENT = pa.struct([("line", pa.uint32()), ("ply", pa.uint32()), ("text", pa.utf8())])
_NAG = pa.struct([("line", pa.uint32()), ("ply", pa.uint32()), ("nag", pa.uint8())])
_VARIATION = pa.struct(
    [
        ("parent", pa.uint32()),
        ("ply", pa.uint32()),
        ("moves", pa.list_(pa.uint16())),
    ]
)

SCHEMA = pa.schema(
    [
        ("Event", pa.utf8()),
        ("Site", pa.utf8()),
        ("White", pa.utf8()),
        ("Black", pa.utf8()),
        ("Result", pa.utf8()),
        ("WhiteTitle", pa.utf8()),
        ("BlackTitle", pa.utf8()),
        ("WhiteElo", pa.int16()),
        ("BlackElo", pa.int16()),
        ("WhiteRatingDiff", pa.int16()),
        ("BlackRatingDiff", pa.int16()),
        ("UTCDate", pa.date32()),
        ("UTCTime", pa.time32("s")),
        ("ECO", pa.utf8()),
        ("Opening", pa.utf8()),
        ("Termination", pa.utf8()),
        ("TimeControl", pa.utf8()),
        ("movetext", pa.utf8()),
        ("Date", pa.date32()),
        pa.field("number", pa.int64(), nullable=False),
        ("source", pa.utf8()),
        ("ply_count", pa.int32()),
        ("start", pa.utf8()),
        ("moves", pa.list_(pa.uint16())),
        ("moves_san", pa.list_(pa.utf8())),
        ("moves_uci", pa.list_(pa.utf8())),
        ("fens", pa.list_(pa.utf8())),
        ("clocks", pa.list_(pa.int32())),
        ("evals", pa.list_(pa.int32())),
        ("comments", pa.list_(_COMMENT)),
        ("nags", pa.list_(_NAG)),
        ("variations", pa.list_(_VARIATION)),
        ("found_at", pa.int32()),
        ("pgn", pa.binary()),
    ]
)

# What is documented of the values.
MATE = 2_000_000_000
MATES = 1_000_000
MAX_NAG = 255
INT32_MAX = 2**31 - 1
