import type { GameRow } from '../api/types';
import { Link } from '../state/router';
import { grouped, known, shownDate, shownResult } from '../ui/format';
import { PlayerName } from '../ui/player_name';

interface RowProps {
  row: number;
  top: number;
  height: number;
  game: GameRow | undefined;
  isCard: boolean;
  isSelected: boolean;
  href: (game: GameRow, row: number) => string;
}

/** A row of the list; without its game yet, an empty one. */
export function GridRow({ row, top, height, game, isCard, isSelected, href }: RowProps) {
  const place = { transform: `translateY(${top}px)`, height: `${height}px` };
  const kind = isCard ? 'game-card' : 'game-row';
  return (
    <div
      id={`row-${row}`}
      class={`${kind} ${isSelected ? 'is-selected' : ''} ${game ? '' : 'is-empty'}`}
      style={place}
      role="row"
      aria-rowindex={row + 1}
      aria-selected={isSelected}
    >
      {game && <Cells game={game} isCard={isCard} href={href(game, row)} />}
    </div>
  );
}

function Cells({ game, isCard, href }: { game: GameRow; isCard: boolean; href: string }) {
  if (game.error) return <Damaged game={game} href={href} />;
  return isCard ? <Card game={game} href={href} /> : <Columns game={game} href={href} />;
}

function Damaged({ game, href }: { game: GameRow; href: string }) {
  return (
    <>
      <span class="number">{grouped(game.number)}</span>
      <span class="damaged" role="gridcell" dir="auto">
        <Link class="row-link" href={href} tabIndex={-1} title={game.error}>
          Damaged: this game cannot be read
        </Link>
      </span>
    </>
  );
}

function moves(game: GameRow): string {
  return game.plies === null ? '' : String(Math.ceil(game.plies / 2));
}

function Columns({ game, href }: { game: GameRow; href: string }) {
  return (
    <>
      <span class="number" role="gridcell">
        {grouped(game.number)}
      </span>
      <span class="white" role="gridcell">
        <Link class="row-link" href={href} tabIndex={-1} dir="auto">
          <PlayerName name={game.white} title={game.white_title} />
        </Link>
      </span>
      <span class="white-elo" role="gridcell">
        {game.white_elo ?? ''}
      </span>
      <span class="result" role="gridcell">
        {shownResult(game.result)}
      </span>
      <span class="black" role="gridcell" dir="auto">
        <PlayerName name={game.black} title={game.black_title} />
      </span>
      <span class="black-elo" role="gridcell">
        {game.black_elo ?? ''}
      </span>
      <span class="date" role="gridcell">
        {shownDate(game.date)}
      </span>
      <span class="eco" role="gridcell">
        {known(game.eco)}
      </span>
      <span class="event" role="gridcell" dir="auto" title={known(game.event)}>
        {known(game.event)}
      </span>
      <span class="moves" role="gridcell">
        {moves(game)}
      </span>
    </>
  );
}

function Card({ game, href }: { game: GameRow; href: string }) {
  const details = [shownDate(game.date), known(game.eco)].filter(Boolean).join(' · ');
  return (
    <>
      <span class="card-players" role="gridcell">
        <Link class="row-link" href={href} tabIndex={-1}>
          <PlayerName name={game.white} title={game.white_title} elo={game.white_elo} />
          <PlayerName name={game.black} title={game.black_title} elo={game.black_elo} />
        </Link>
      </span>
      <span class="card-side" role="gridcell">
        <span class="result">{shownResult(game.result)}</span>
        <span class="quiet">{details}</span>
      </span>
    </>
  );
}
