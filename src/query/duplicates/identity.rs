//! The identity of a game: a hash of its start position and moves, or of its text.

use super::DuplicateCriteria;
use super::facts::{FactReader, Facts};
use super::known::is_player;
use crate::archive::{Archive, BlockGames, BlockPlace, Error, Moves, ReadAhead};
use crate::chess::{ChessPosition, PlyKind};
use crate::text::letters;

/// A BLAKE3 hash, truncated to 128 bits, which makes collisions infeasible.
pub(super) type DuplicateKey = [u8; 16];

/// The identity of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Identity {
    pub(super) key: DuplicateKey,
    pub(super) game: u64,
    /// The number of plies of the main line; 0 if the key is a hash of the text.
    pub(super) plies: u32,
    /// What must not contradict the facts of a duplicate.
    pub(super) facts: Facts,
}

/// A running hash of the start position and moves.
#[derive(Clone)]
pub(super) struct LineHash(blake3::Hasher);

impl LineHash {
    /// The hash before the first move.
    fn of(start: &ChessPosition, players: Option<[String; 2]>) -> LineHash {
        let mut hash = LineHash(blake3::Hasher::new());
        let rules = start.rules();
        hash.field(&[rules.variant_number(), u8::from(rules.chess960)]);
        hash.field(without_counters(&start.fen()).as_bytes());
        for player in players.iter().flatten() {
            hash.field(player.as_bytes());
        }
        hash
    }

    /// Adds a length-prefixed field.
    fn field(&mut self, bytes: &[u8]) {
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    pub(super) fn push(&mut self, ply: PlyKind) {
        let bytes = match ply {
            PlyKind::Null => [0; 4],
            PlyKind::Move {
                from,
                to,
                promotion,
            } => [1, from.into(), to.into(), promotion.map_or(0, u8::from)],
            PlyKind::Drop { role, to } => [2, role.into(), to.into(), 0],
        };
        self.0.update(&bytes);
    }

    pub(super) fn key(&self) -> DuplicateKey {
        key_of(&self.0)
    }
}

fn key_of(hasher: &blake3::Hasher) -> DuplicateKey {
    let hash = hasher.finalize();
    hash.as_bytes().first_chunk().copied().unwrap_or_default()
}

/// A FEN without its last two fields.
fn without_counters(fen: &str) -> &str {
    let mut fields = fen.rsplitn(3, ' ');
    fields.nth(2).unwrap_or(fen)
}

/// The moves of a game, with the hash of its start position. Returns `None` if the game
/// is identified by its text.
pub(super) fn line(
    block: &BlockGames<'_>,
    game: usize,
    criteria: DuplicateCriteria,
) -> Result<Option<(LineHash, Moves)>, Error> {
    if block.verbatim_reason(game)?.is_some() || block.has_words(game)? {
        return Ok(None);
    }
    let Some(moves) = block.moves(game)? else {
        return Ok(None);
    };
    let players = match criteria.by_players {
        true => Some(players(block, game)?),
        false => None,
    };
    let hash = LineHash::of(&moves.start, players);
    let has_moves = moves.main_line().next().is_some();
    Ok(has_moves.then_some((hash, moves)))
}

fn players(block: &BlockGames<'_>, game: usize) -> Result<[String; 2], Error> {
    Ok([
        player(block, game, b"White")?,
        player(block, game, b"Black")?,
    ])
}

/// The letters and digits of a player's name, in lower case.
fn player(block: &BlockGames<'_>, game: usize, side: &[u8]) -> Result<String, Error> {
    let name = block.tag(game, &block.tag_name(side))?.unwrap_or_default();
    Ok(letters(&block.archive().player_name(&name)))
}

/// The identities of all games.
pub(super) fn identities(
    archive: &Archive,
    criteria: DuplicateCriteria,
    on_progress: &mut dyn FnMut(u64),
) -> Result<Vec<Identity>, Error> {
    let mut identities = Vec::new();
    let in_block = |place: BlockPlace| {
        let block = archive.block_games(&place)?;
        let facts = criteria.by_facts.then(|| FactReader::new(&block));
        let games = 0..block.len();
        let identities = games.map(|game| identity(&block, game, facts.as_ref(), criteria));
        identities.collect::<Result<Vec<Identity>, Error>>()
    };
    let mut blocks = ReadAhead::new(archive.block_places()?);
    while let Some(batch) = blocks.read(in_block) {
        for block in batch {
            identities.extend(block?);
        }
        on_progress(identities.len() as u64);
    }
    identify_by_texts(archive, &mut identities)?;
    Ok(identities)
}

fn identity(
    block: &BlockGames<'_>,
    game: usize,
    facts: Option<&FactReader<'_, '_>>,
    criteria: DuplicateCriteria,
) -> Result<Identity, Error> {
    let mut identity = Identity {
        key: DuplicateKey::default(),
        game: block.number(game),
        plies: 0,
        facts: Facts::UNKNOWN,
    };
    if let Some((mut hash, moves)) = line(block, game, criteria)? {
        for ply in moves.main_line() {
            hash.push(ply);
            identity.plies = identity.plies.saturating_add(1);
        }
        if identity.plies < criteria.min_plies || has_unknown_player(block, game, criteria)? {
            for tag in block.sorted_tags(game)? {
                hash.field(&tag);
            }
        }
        if let Some(facts) = facts {
            identity.facts = facts.read(game)?;
        }
        identity.key = hash.key();
    }
    Ok(identity)
}

/// Whether the players count, and one of them is not known. Such a game is the same only as one with
/// equal tags.
fn has_unknown_player(
    block: &BlockGames<'_>,
    game: usize,
    criteria: DuplicateCriteria,
) -> Result<bool, Error> {
    if !criteria.by_players {
        return Ok(false);
    }
    Ok(!players(block, game)?.iter().all(|name| is_player(name)))
}

/// Sets the keys of games without moves to hashes of their texts.
fn identify_by_texts(archive: &Archive, identities: &mut [Identity]) -> Result<(), Error> {
    let texts = identities.iter().filter(|identity| identity.plies == 0);
    let texts: Vec<u64> = texts.map(|identity| identity.game).collect();
    let mut hash = TextHash::default();
    let mut current = None;
    let mut keys = Vec::with_capacity(texts.len());
    for part in archive.parts(|game| texts.binary_search(&game).is_ok()) {
        let part = part?;
        if part.is_first && current.replace(part.game).is_some() {
            keys.push(std::mem::take(&mut hash).key());
        }
        hash.push(&part.text);
    }
    keys.push(hash.key());
    let without = identities.iter_mut().filter(|identity| identity.plies == 0);
    for (identity, key) in without.zip(keys) {
        identity.key = key;
    }
    Ok(())
}

/// A running hash of a text without trailing white space.
struct TextHash {
    hasher: blake3::Hasher,
    /// White space after the text so far, which is hashed if more text follows.
    blanks: Vec<u8>,
}

impl Default for TextHash {
    fn default() -> Self {
        // A separate domain from the hashes of moves.
        let hasher = blake3::Hasher::new_derive_key("pgna duplicates: text of a game");
        TextHash {
            hasher,
            blanks: Vec::new(),
        }
    }
}

impl TextHash {
    fn push(&mut self, text: &[u8]) {
        let seen = text.trim_ascii_end();
        let blanks = text.get(seen.len()..).unwrap_or_default();
        if !seen.is_empty() {
            self.hasher.update(&self.blanks);
            self.hasher.update(seen);
            self.blanks.clear();
        }
        self.blanks.extend_from_slice(blanks);
    }

    fn key(&self) -> DuplicateKey {
        key_of(&self.hasher)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_do_not_count() {
        assert_eq!(without_counters("8/8 w - - 0 1"), "8/8 w - -");
        assert_eq!(without_counters("8/8"), "8/8");
    }

    #[test]
    fn texts_are_identified_without_trailing_white_space() {
        let key = |pieces: &[&str]| {
            let mut hash = TextHash::default();
            pieces.iter().for_each(|piece| hash.push(piece.as_bytes()));
            hash.key()
        };
        assert_eq!(key(&["a b\n"]), key(&["a ", "b", "\n", " "]));
        assert_ne!(key(&["a b"]), key(&["ab"]));
        assert_ne!(key(&["a b"]), key(&[" a b"]));
    }
}
