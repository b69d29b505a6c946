import { archiveName } from '../source/archive_name';
import { opened } from '../source/opened';
import { navigate, useRoute } from '../state/router';
import { Brand, ThemeButton } from '../ui/header';
import { useTitle } from '../ui/use_title';
import { AddressForm } from './address_form';
import { FileField } from './file_field';

/** Asks for an archive: a local file or an address. */
export function StartPage() {
  const route = useRoute();
  useTitle();
  const open = (file: File) => {
    // An address with the name of a file is that of one opened before, and keeps its place.
    if (route.archive !== archiveName(file)) navigate('/', { replace: true });
    opened.set(file);
  };
  return (
    <>
      <header class="header">
        <Brand />
        <div class="header-buttons">
          <ThemeButton />
        </div>
      </header>
      <main class="start">
        <h1>Open a chess archive</h1>
        <p class="quiet">
          Games, opening explorer, positions and statistics of a PGN archive (<code>.pgna</code>),
          read here in the browser.
        </p>
        {route.archive !== undefined && (
          <p class="start-again" role="status">
            Open <bdi>{route.archive}.pgna</bdi> again to go on: the browser forgets a file when the
            page is loaded anew.
          </p>
        )}
        <FileField onFile={open} />
        <AddressForm />
        <p class="quiet start-more">
          <code>pgna pack games.pgn</code> makes an archive of PGN files; with{' '}
          <code>--index full</code> positions are found without reading all games.
        </p>
      </main>
    </>
  );
}
