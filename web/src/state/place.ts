/** Where the browser has the address of what is shown. */
import { IS_STATIC } from '../build';

/**
 * The address: that of the page itself or, on a static host, which has files only, its fragment.
 */
export function addressShown(): { pathname: string; search: string } {
  if (!IS_STATIC) return location;
  const [path = '', ...query] = location.hash.replace(/^#\/*/, '').split('?');
  return { pathname: `/${path}`, search: query.length > 0 ? `?${query.join('?')}` : '' };
}

/** An address as a link has it. */
export function linkOf(address: string): string {
  return IS_STATIC ? `#${address}` : address;
}
