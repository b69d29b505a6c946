import { archiveUrl } from '../api/client';
import type { Archive, GamesPage } from '../api/types';
import { useRequest } from '../api/use_request';
import { all, any, quote } from '../filter/expression';

/** The explorer counts only games that have a result. */
const HAS_RESULT = any(['1-0', '1/2-1/2', '0-1'].map((result) => `Result = ${quote(result)}`));
const SETTLE = 120;
/**
 * Beyond this many games, those that end here are not counted: few do, and finding all games of such
 * a position takes the server up to a second.
 */
const MOST_PLAYED = 20_000;

/**
 * How many games end at a position: those that the list has but that no move of the explorer
 * continues; undefined while that is not known and where they are not counted. `played` is the number
 * of the others, undefined while it is not known.
 */
export function useEnded(
  archive: Archive,
  fen: string,
  where: string | undefined,
  played: number | undefined,
): number | undefined {
  const url = archiveUrl(archive.name, '/games', {
    fen,
    where: all([where && `(${where})`, HAS_RESULT]),
    limit: 1,
  });
  // Without an index every game would have to be read to find the position.
  const isWanted = played !== undefined && played <= MOST_PLAYED && archive.has_index;
  const { data, error, isLoading } = useRequest<GamesPage>(isWanted ? url : null, SETTLE);
  if (!data || error || isLoading || data.unread?.length || played === undefined) return undefined;
  return Math.max(0, data.total - played);
}
