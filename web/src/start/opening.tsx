import { fileName } from '../source/archive_name';
import type { Place } from '../source/messages';
import { progress } from '../source/opened';
import { progressWords } from './progress_words';

/** An archive that is being opened. */
export function Opening({ place }: { place: Place }) {
  const now = progress.use();
  return (
    <div class="note opening-archive" role="status">
      <h1>
        Opening <bdi>{fileName(place)}</bdi>
      </h1>
      {/* How much of an archive is needed to open it is not known. */}
      <progress />
      <p class="quiet">{progressWords(now)}</p>
    </div>
  );
}
