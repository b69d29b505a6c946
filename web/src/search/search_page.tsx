import type { PageProps } from '../app';
import { BoardPage } from '../board/board_page';
import { useBoardView } from '../board/use_board_view';
import { explorerHref } from '../explorer/explorer_address';
import { href, withParams } from '../state/route';
import { Link, navigate } from '../state/router';
import { Icon } from '../ui/icons';
import { useTitle } from '../ui/use_title';
import { EditorBoard } from './editor_board';
import { FenField } from './fen_field';
import { SearchForm } from './search_form';
import { EMPTY_BOARD, fenOfSetup, readSetup, type Setup, setupError, withBoard } from './setup';
import { SetupFields } from './setup_fields';

/** The page on which a position is set up and looked for. */
export function SearchPage({ archive, route }: PageProps) {
  const { query } = route;
  const setup = readSetup(query.get('board'));
  const { orientation, set, flip } = useBoardView(archive.name, route);
  const error = setupError(setup);
  useTitle('Position', archive.name);

  /** Changes parameters in an entry of the history that successive changes share. */
  const setMerged = (changes: Record<string, string | null>, merge: string) =>
    navigate(href(archive.name, 'search', undefined, withParams(query, changes)), { merge });
  const setUp = (changed: Setup) => setMerged({ board: fenOfSetup(changed) }, 'board');
  const buttons: [string, () => void][] = [
    ['Start position', () => setMerged({ board: null }, 'board')],
    ['Clear board', () => setUp({ board: EMPTY_BOARD, turn: 'w', castling: '', enPassant: '-' })],
  ];
  return (
    <BoardPage
      class="search-page"
      board={
        <>
          <h1 class="hidden">Position search</h1>
          <EditorBoard
            board={setup.board}
            orientation={orientation}
            label={`Board to set up: ${setup.board}`}
            onChange={(board) => setUp(withBoard(setup, board))}
          />
        </>
      }
      panel={
        <>
          <div class="buttons">
            {buttons.map(([label, act]) => (
              <button key={label} type="button" class="button" onClick={act}>
                {label}
              </button>
            ))}
            <button type="button" class="button" onClick={flip}>
              <Icon name="flip" /> Flip board
            </button>
            {!error && (
              <Link
                class="button"
                href={explorerHref(archive.name, query, fenOfSetup(setup), [], orientation)}
              >
                Analyse
              </Link>
            )}
          </div>
          <SetupFields setup={setup} onChange={setUp} />
          <FenField setup={setup} error={error} onChange={setUp} />
          <SearchForm
            archive={archive.name}
            query={query}
            setup={setup}
            error={error}
            onSet={(changes, merge) => (merge ? setMerged(changes, merge) : set(changes))}
          />
        </>
      }
    />
  );
}
