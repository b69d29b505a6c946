import { useEffect, useState } from 'preact/hooks';
import type { Params } from '../api/client';
import type { GameRow } from '../api/types';
import { counted, grouped } from '../ui/format';
import { ErrorNote, Loading, UnreadNote } from '../ui/states';
import { useMedia } from '../ui/use_media';
import { COLUMNS, type Column } from './columns';
import { GridRow } from './grid_row';
import { Sorting } from './sorting';
import { type Pages, usePages } from './use_pages';
import { useScroll } from './use_scroll';

interface TableProps {
  archive: string;
  /** Names the list: another list begins at its start. */
  list: string;
  params: Params;
  sort: string;
  /** The most characters that the number of a game has. */
  digits: number;
  /** The row that was first when the list was left. */
  start: number;
  /** The address of a game, which is in this row of the list. */
  gameHref: (game: GameRow, row: number) => string;
  onSort: (sort: string) => void;
  onOpen: (href: string) => void;
  onPlace: (firstRow: number) => void;
  onAnswer: (pages: Pages) => void;
  /** Goes to the expression that may be wrong; undefined if there is none. */
  onEditFilter: (() => void) | undefined;
}

const ROW = 40;
const CARD = 66;

/** The games of a list. Only the rows that are seen are in the document. */
export function GameTable(props: TableProps) {
  const isNarrow = useMedia('(max-width: 720px)');
  const rowHeight = isNarrow ? CARD : ROW;
  const [total, setTotal] = useState(0);
  const scroll = useScroll(props.list, total, rowHeight, props.start);
  const lastRow = scroll.first + scroll.rows - 1;
  const pages = usePages(props.archive, props.params, scroll.first, lastRow);
  const [selected, setSelected] = useState(-1);

  useEffect(() => {
    if (pages.total !== undefined) setTotal(pages.total);
    props.onAnswer(pages);
  }, [pages.total, pages.error, pages.isStale]);
  useEffect(() => props.onPlace(scroll.first), [scroll.first]);

  const select = (row: number) => {
    const inside = Math.max(0, Math.min(total - 1, row));
    setSelected(inside);
    scroll.showRow(inside);
  };
  const press = (event: KeyboardEvent) => {
    const page = scroll.rows - 2;
    const from = selected >= scroll.first && selected <= lastRow ? selected : scroll.first - 1;
    const steps: Record<string, number> = {
      ArrowDown: from + 1,
      ArrowUp: from - 1,
      PageDown: from + page,
      PageUp: from - page,
      Home: 0,
      End: total - 1,
    };
    const to = steps[event.key];
    const game = pages.row(selected);
    if (to !== undefined) select(to);
    else if (event.key === 'Enter' && game) props.onOpen(props.gameHref(game, selected));
    else return;
    event.preventDefault();
  };

  const rows = Array.from({ length: scroll.rows }, (_, at) => scroll.first + at);
  return (
    <div
      class={`games ${pages.isStale ? 'is-stale' : ''} ${pages.error ? 'has-error' : ''}`}
      style={{ '--digits': String(props.digits) }}
      aria-busy={pages.isStale}
    >
      {pages.error && (
        <ErrorNote title="The games cannot be listed" error={pages.error}>
          {props.onEditFilter && (
            <p>
              <button type="button" class="button" onClick={props.onEditFilter}>
                Edit the expression
              </button>
            </p>
          )}
        </ErrorNote>
      )}
      <UnreadNote unread={pages.unread} />
      {isNarrow ? (
        <Sorting sort={props.sort} onSort={props.onSort} />
      ) : (
        <Heads sort={props.sort} onSort={props.onSort} />
      )}
      <div
        ref={scroll.element}
        class="games-view"
        role="grid"
        tabIndex={0}
        aria-label={`Games: ${counted(total, 'game')}. Arrow keys select, Enter opens.`}
        aria-rowcount={total}
        aria-activedescendant={selected >= 0 ? `row-${selected}` : undefined}
        onKeyDown={press}
      >
        <div class="games-range" style={{ height: `${scroll.height}px` }}>
          <div class="games-rows">
            {rows.map((row, at) =>
              row < total ? (
                <GridRow
                  key={row}
                  row={row}
                  top={at * rowHeight - scroll.shift}
                  height={rowHeight}
                  game={pages.row(row)}
                  isCard={isNarrow}
                  isSelected={row === selected}
                  href={props.gameHref}
                />
              ) : null,
            )}
          </div>
        </div>
        {pages.total === undefined && !pages.error && <Loading text="Searching…" />}
      </div>
      <p key={scroll.first} class="games-place quiet" aria-hidden="true">
        {total > scroll.rows && `${grouped(scroll.first + 1)}–${grouped(Math.min(total, lastRow))}`}
      </p>
    </div>
  );
}

function Heads({ sort, onSort }: { sort: string; onSort: (sort: string) => void }) {
  const next = ({ field, isDescendingFirst }: Column): string => {
    const orders = isDescendingFirst ? [`-${field}`, field] : [field, `-${field}`];
    return orders[orders.indexOf(sort) + 1] ?? '';
  };
  return (
    <div class="game-row games-heads">
      {COLUMNS.map((column) => {
        const order = sort === column.field ? '↑' : sort === `-${column.field}` ? '↓' : '';
        const name = order === '↑' ? 'ascending' : 'descending';
        return (
          <span key={column.name} class={column.name}>
            {column.field ? (
              <button
                type="button"
                onClick={() => onSort(next(column))}
                aria-label={`Sort by ${column.label}${order ? `, now ${name}` : ''}`}
              >
                {column.label} <span aria-hidden="true">{order}</span>
              </button>
            ) : (
              column.label
            )}
          </span>
        );
      })}
    </div>
  );
}
