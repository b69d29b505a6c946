import { known, playerName } from './format';

interface NameProps {
  name: string | null | undefined;
  title?: string | null | undefined;
  elo?: number | null | undefined;
}

/** A player in a list: title, name in its own direction, rating. */
export function PlayerName({ name, title, elo }: NameProps) {
  return (
    <span class="player-name">
      {title && <span class="title">{title}</span>}
      <bdi class={known(name) ? '' : 'quiet'}>{playerName(name)}</bdi>
      {elo ? <span class="elo">{elo}</span> : null}
    </span>
  );
}
