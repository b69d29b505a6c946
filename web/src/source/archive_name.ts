import type { Place } from './messages';

const lastPart = (path: string) => path.slice(path.lastIndexOf('/') + 1);

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The name of the file of an archive. */
export function fileName(place: Place): string {
  if (typeof place !== 'string') return place.name;
  const path = place.replace(/[?#].*$/s, '').replace(/\/+$/, '');
  return decode(lastPart(path)) || 'archive';
}

/** The name of an archive, as a server gives it: that of its file without `.pgna`. */
export function archiveName(place: Place): string {
  return fileName(place).replace(/(?<=.)\.pgna$/i, '');
}
