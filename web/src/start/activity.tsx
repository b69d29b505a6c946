import { progress } from '../source/opened';
import { progressWords } from './progress_words';

/** What takes the reader long. It appears after a moment, so that short readings do not flicker. */
export function Activity() {
  const now = progress.use();
  if (!now) return null;
  return (
    <p class="activity" role="status">
      {progressWords(now)}
    </p>
  );
}
