//! The meaning of the figures, for `pgna compare --help`.

/// The text below the options with `-h`.
pub(crate) const EXAMPLES: &str = "\
Examples:
  pgna compare games.pgn
  pgna compare games.pgna --games 10000
  zstd -dc big.pgn.zst | pgna compare - --games 10000
  pgna compare games.pgn --json | jq -r '.codecs[] | [.codec, .form, .bits_per_ply] | @tsv'

`pgna compare --help` says what each figure means.";

/// The text below the options with `--help`.
pub(crate) const LONG_HELP: &str = "\
Examples:
  pgna compare games.pgn
  pgna compare games.pgna --games 10000
  zstd -dc big.pgn.zst | pgna compare - --games 10000
  pgna compare games.pgn --json | jq -r '.codecs[] | [.codec, .form, .bits_per_ply] | @tsv'

A row is one form of a codec, or `auto`: for each game what `pgna pack` chooses
without --codec and --level, the model of the level default where it needs no more
than 4 bits a ply, else the smallest of it and all codecs without a model; among
equals, the one higher in the table. The figures of a codec are those
of the games that it can represent; those of `auto` are of all games that any
codec can.

  bits/ply   8 x bytes / plies, whole bytes as they are stored, summed over the
             games. A ply is a half-move
  B/game     bytes a game
  smallest   share of all games in which no codec needs fewer bytes, in percent;
             of equals only the one higher in the table counts
  cannot     games that the codec cannot represent
  encode     millions of plies a second, encoded by one thread
  decode     millions of plies a second, decoded by one thread. `auto` encodes
             with those that may win, and decodes with the one that has won

What the codecs cannot represent: drops and promotions to king (huffman,
huffman-index, squares), sides without one king (huffman, huffman-index), other
starts than the standard one (forms with the start elided: they do not write it,
forms with the start written do), variants other than Chess960 (model), and games
that end otherwise than by mate, stalemate, resignation of the side to move or
agreed draw (radix-end). `pgna pack --codec huffman` takes the smaller form.

A second table takes the Huffman codecs apart, in bits a game: the two trees,
the start (promotion table, initial position, side to move), the moves, and the
padding to whole bytes.

Not in the figures is what an archive keeps beside the bits: the number of plies
and the result (only radix-end has both in its bits; model looks at them, and at
the ratings), how many bytes the bits take, null moves, the start position where it
is not the standard one (of it, forms with the start written have the pieces in
their bits), and what an archive adds to a model: there its bits are a little fewer.

Each game's main line is measured. Games without plies are left out, and so are
those that are not structure to their end (`-v` names them); they are counted
apart, but count for --games. Where no game is left, the exit status is 1. A line
that a codec does not give back is an internal error: exit status 4. Clocks run on
one thread, whatever -T says; compare only speeds of one run.";
