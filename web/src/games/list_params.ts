import type { Params } from '../api/client';
import { expression, POSITION_PARAMS, readFilter } from '../filter/filter';

/** The parameters of a request for the games of a list, from the address of the list. */
export function listParams(query: URLSearchParams): Params {
  const params: Params = { where: expression(readFilter(query)) };
  for (const name of POSITION_PARAMS) params[name] = query.get(name);
  params.sort = query.get('sort');
  return params;
}

/** Whether an address limits the list in any way. */
export function isLimited(query: URLSearchParams): boolean {
  const { sort: _, ...limits } = listParams(query);
  return Object.values(limits).some(Boolean);
}
