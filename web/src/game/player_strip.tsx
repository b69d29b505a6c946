import type { Color } from '@lichess-org/chessground/types';
import type { Game } from '../api/types';
import { clockText } from '../chess/notation';
import { tagOf } from '../chess/tree';
import { href } from '../state/route';
import { Link } from '../state/router';
import { known } from '../ui/format';
import { PlayerName } from '../ui/player_name';

interface StripProps {
  archive: string;
  game: Game;
  color: Color;
  clock: number | undefined;
  isToMove: boolean;
}

const POINTS: Record<string, [string, string]> = {
  '1-0': ['1', '0'],
  '0-1': ['0', '1'],
  '1/2-1/2': ['½', '½'],
};

/** A player beside the board: name, rating, points, clock. */
export function PlayerStrip({ archive, game, color, clock, isToMove }: StripProps) {
  const side = color === 'white' ? 'White' : 'Black';
  const name = tagOf(game, side);
  const elo = Number(tagOf(game, `${side}Elo`)) || null;
  const points = POINTS[game.result ?? '']?.[color === 'white' ? 0 : 1];
  const text = (
    <PlayerName name={name} title={known(tagOf(game, `${side}Title`)) || undefined} elo={elo} />
  );
  return (
    <div class={`player-strip ${isToMove ? 'is-to-move' : ''}`}>
      <span class={`disc ${color}`} role="img" aria-label={side} />
      {known(name) ? <Link href={href(archive, 'player', name)}>{text}</Link> : text}
      {points && <span class="points">{points}</span>}
      {clock !== undefined && (
        <span class="clock" role="timer" aria-label={`${side}'s clock`}>
          {clockText(clock)}
        </span>
      )}
    </div>
  );
}
