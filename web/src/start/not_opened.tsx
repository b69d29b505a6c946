import type { ApiError } from '../api/error';
import { fileName } from '../source/archive_name';
import type { Place } from '../source/messages';
import { ErrorNote } from '../ui/states';

/** Why an archive could not be opened, with a way back. */
export function NotOpened({ place, error }: { place: Place; error: ApiError }) {
  return (
    <ErrorNote title={`${fileName(place)} cannot be opened`} error={error} isPage>
      <Help message={error.message} />
      <p>
        <a class="button" href="?">
          Open another archive
        </a>
      </p>
    </ErrorNote>
  );
}

/** What helps against an error that is not in the words of a chess player. */
function Help({ message }: { message: string }) {
  if (/not a PGN archive/.test(message)) {
    return (
      <p>
        This page reads archives (<code>.pgna</code>). <code>pgna pack games.pgn</code> makes one of
        PGN files.
      </p>
    );
  }
  if (!/ at byte \d/.test(message)) return null;
  return (
    <p>
      The archive is incomplete or damaged. Download or copy it again; <code>pgna recover</code>{' '}
      saves the games that are left.
    </p>
  );
}
