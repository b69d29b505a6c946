import type { Progress } from '../source/messages';
import { bytes } from '../ui/format';

/** What the reader is at, in words. */
export function progressWords(progress: Progress | undefined): string {
  if (!progress) return 'Loading the reader and the start of the archive…';
  if (progress === 'model') return 'Loading the model that reads the moves…';
  return `${bytes(progress.bytes)} of the archive’s ${bytes(progress.size)} loaded`;
}
