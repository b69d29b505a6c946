import { useEffect, useState } from 'preact/hooks';
import type { PageProps } from '../app';
import { useKeys } from '../board/use_keys';
import { expression, type Filter, filterParams, listQuery, readFilter } from '../filter/filter';
import { FilterForm } from '../filter/filter_form';
import { href, withParams } from '../state/route';
import { navigate } from '../state/router';
import { Dialog } from '../ui/dialog';
import { counted, grouped } from '../ui/format';
import { Icon } from '../ui/icons';
import { useMedia } from '../ui/use_media';
import { useTitle } from '../ui/use_title';
import { EmptyList } from './empty_list';
import { FilterChips } from './filter_chips';
import { gameInList } from './game_address';
import { GameTable } from './game_table';
import { listParams } from './list_params';
import { useFilterError } from './use_filter_error';
import type { Pages } from './use_pages';

/** The list of games, with the filters beside it, or over it on a narrow screen. */
export function GamesPage({ archive, route }: PageProps) {
  const { query } = route;
  const isWide = useMedia('(min-width: 1000px)');
  const [isFormOpen, setFormOpen] = useState(false);
  const [answer, setAnswer] = useState<Pages>();
  const filter = readFilter(query);
  const params = listParams(query);
  const list = listQuery(query).toString();
  const error = useFilterError(archive.name, filter.where, answer?.error);
  useTitle('Games', archive.name);

  const go = (changes: Record<string, string>, merge?: string) =>
    navigate(href(archive.name, 'games', undefined, withParams(query, { ...changes, row: null })), {
      ...(merge === undefined ? {} : { merge }),
    });
  const change = (changes: Partial<Filter>, field?: string) =>
    go(filterParams({ ...filter, ...changes }), field);

  const focusFilter = (field: string) => {
    if (!isWide) setFormOpen(true);
    requestAnimationFrame(() => document.getElementById(field)?.focus());
  };
  useKeys({ '/': () => focusFilter('filter-player') });
  useEffect(() => {
    if (isWide) setFormOpen(false);
  }, [isWide]);

  const form = (
    <FilterForm archive={archive.name} filter={filter} error={error} onChange={change} />
  );
  const total = answer?.total;
  const isEmpty = total === 0 && !answer?.isStale;
  return (
    <div class="games-page">
      {isWide && (
        <aside class="filter-side" aria-label="Filters">
          {form}
        </aside>
      )}
      <section class="games-main" aria-label="List of games">
        <div class="games-top">
          <h1 aria-live="polite">
            {total === undefined ? 'Games' : counted(total, 'game')}
            {expression(filter) === undefined && !query.get('fen') ? null : (
              <span class="quiet"> of {grouped(archive.games)}</span>
            )}
          </h1>
          {!isWide && (
            <button type="button" class="button" onClick={() => setFormOpen(true)}>
              <Icon name="filter" /> Filters
            </button>
          )}
        </div>
        <FilterChips query={query} onChange={go} />
        {isEmpty && <EmptyList query={query} archive={archive} />}
        <div class={isEmpty ? 'games-holder hidden-list' : 'games-holder'}>
          <GameTable
            list={list}
            archive={archive.name}
            digits={grouped(archive.games).length}
            params={params}
            sort={query.get('sort') ?? ''}
            start={Number(query.get('row')) || 0}
            gameHref={(game, row) => gameInList(archive.name, query, row, game)}
            onSort={(sort) => go({ sort })}
            onOpen={navigate}
            onPlace={(row) =>
              navigate(
                href(archive.name, 'games', undefined, withParams(query, { row: row || null })),
                {
                  replace: true,
                },
              )
            }
            onAnswer={setAnswer}
            onEditFilter={filter.where ? () => focusFilter('filter-expression') : undefined}
          />
        </div>
      </section>
      {isFormOpen && (
        <Dialog title="Filters" class="dialog-side" onClose={() => setFormOpen(false)}>
          {form}
          <button type="button" class="button button-main" onClick={() => setFormOpen(false)}>
            {total === undefined ? 'Show the games' : `Show ${counted(total, 'game')}`}
          </button>
        </Dialog>
      )}
    </div>
  );
}
