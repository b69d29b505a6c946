import type { Place } from './messages';

const lastPart = (path: string) => path.slice(path.lastIndexOf('/') + 1);

export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The name of the file of an archive. */
export function fileName(place: Place): string {
  if (typeof place !== 'string') return place.name;
  // Only its path: an address may have a password.
  const path = URL.canParse(place) ? new URL(place).pathname : '';
  return decode(lastPart(path.replace(/\/+$/, ''))) || 'archive';
}

/** The name of an archive, as a server gives it: that of its file without `.pgna`. */
export function archiveName(place: Place): string {
  return fileName(place).replace(/(?<=.)\.pgna$/i, '');
}
