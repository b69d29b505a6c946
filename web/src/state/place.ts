/** Where the browser has the address of what is shown. */
import { IS_STATIC } from '../build';

/**
 * The address: that of the page itself or, on a static host, which has files only, its fragment.
 */
export function place(): { pathname: string; search: string } {
  if (!IS_STATIC) return location;
  return new URL(`/${location.hash.replace(/^#\/*/, '')}`, location.origin);
}

/** An address as a link has it. */
export function placed(address: string): string {
  return IS_STATIC ? `#${address}` : address;
}
