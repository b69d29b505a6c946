import type { Color } from '@lichess-org/chessground/types';
import { ROLES } from 'chessops/types';
import type { Game } from '../api/types';
import { clockText } from '../chess/notation';
import type { Position } from '../chess/position';
import { tagOf } from '../chess/tree';
import { href } from '../state/route';
import { Link } from '../state/router';
import { known } from '../ui/format';
import { Piece } from '../ui/piece';
import { PlayerName } from '../ui/player_name';

interface StripProps {
  archive: string;
  game: Game;
  color: Color;
  clock: number | undefined;
  position: Position | undefined;
}

const POINTS = new Map<string, [white: string, black: string]>([
  ['1-0', ['1', '0']],
  ['0-1', ['0', '1']],
  ['1/2-1/2', ['½', '½']],
]);

/** The pieces in hand, in Crazyhouse. */
function Pocket({ color, position }: { color: Color; position: Position | undefined }) {
  const pocket = position?.pockets?.[color];
  if (!pocket || pocket.isEmpty()) return null;
  const roles = ROLES.filter((role) => pocket[role] > 0);
  const label = roles.map((role) => `${pocket[role]} ${role}`).join(', ');
  return (
    <span class="pocket" role="img" aria-label={`In hand: ${label}`}>
      {roles.map((role) => (
        <span key={role}>
          <Piece color={color} role={role} />
          {pocket[role] > 1 && pocket[role]}
        </span>
      ))}
    </span>
  );
}

/** A player beside the board: name, rating, points, clock. */
export function PlayerStrip({ archive, game, color, clock, position }: StripProps) {
  const side = color === 'white' ? 'White' : 'Black';
  const name = tagOf(game, side);
  const elo = Number(tagOf(game, `${side}Elo`)) || null;
  const points = POINTS.get(game.result ?? '')?.[color === 'white' ? 0 : 1];
  const isToMove = position?.turn === color;
  const text = (
    <PlayerName name={name} title={known(tagOf(game, `${side}Title`)) || undefined} elo={elo} />
  );
  return (
    <div class={`player-strip ${isToMove ? 'is-to-move' : ''}`}>
      <span class={`disc ${color}`} role="img" aria-label={side} />
      {known(name) ? <Link href={href(archive, 'player', name)}>{text}</Link> : text}
      {points && <span class="points">{points}</span>}
      <Pocket color={color} position={position} />
      {clock !== undefined && (
        <span class="clock" role="timer" aria-label={`${side}'s clock`}>
          {clockText(clock)}
        </span>
      )}
    </div>
  );
}
