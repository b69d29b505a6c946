import type { ApiError } from '../api/error';
import { fileName } from '../source/archive_name';
import type { Place } from '../source/messages';
import { ErrorNote } from '../ui/states';

/** Why an archive could not be opened, with a way back. */
export function NotOpened({ place, error }: { place: Place; error: ApiError }) {
  return (
    <ErrorNote title={`${fileName(place)} cannot be opened`} error={error} isPage>
      {/\.pgn$/i.test(fileName(place)) && (
        <p>
          This page reads archives. <code>pgna pack</code> makes one of PGN files.
        </p>
      )}
      <p>
        <a class="button" href="?">
          Open another archive
        </a>
      </p>
    </ErrorNote>
  );
}
