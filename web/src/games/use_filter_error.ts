import { archiveUrl } from '../api/client';
import type { ApiError } from '../api/error';
import { useRequest } from '../api/use_request';

/**
 * What the server says against the expression of the advanced field. It is asked about that
 * expression alone, so that the place it names is a place in the field.
 */
export function useFilterError(
  archive: string,
  where: string,
  listError: ApiError | undefined,
): string | undefined {
  const isDoubtful = listError?.status === 400 && where.trim() !== '';
  const url = archiveUrl(archive, '/games', { where: where.trim(), limit: 1 });
  const { error } = useRequest(isDoubtful ? url : null);
  return isDoubtful ? error?.message : undefined;
}
