/** The answers of the server, as docs/serve.md describes them. */

export interface Archive {
  name: string;
  games: number;
  bytes: number;
  text_bytes: number;
  has_index: boolean;
  /** Why the archive cannot be read. */
  error?: string;
}

export interface GameRow {
  number: number;
  white: string | null;
  black: string | null;
  white_elo: number | null;
  black_elo: number | null;
  white_title: string | null;
  black_title: string | null;
  result: string | null;
  date: string | null;
  event: string | null;
  site: string | null;
  round: string | null;
  eco: string | null;
  opening: string | null;
  time_control: string | null;
  plies: number | null;
  ply: number | null;
  error?: string;
}

export interface GamesPage {
  total: number;
  offset: number;
  games: GameRow[];
  next: string | null;
  /** Why games could not be searched. */
  unread?: string[];
}

export interface Evaluation {
  cp?: number;
  mate?: number;
}

export interface Shapes {
  squares?: string[];
  arrows?: string[];
}

export interface Variation {
  comments?: string[];
  moves: Move[];
}

export interface Move {
  san: string;
  uci: string;
  nags?: number[];
  comments?: string[];
  clock?: number;
  eval?: Evaluation;
  shapes?: Shapes;
  variations?: Variation[];
}

export interface Game {
  number: number;
  tags: [string, string][];
  result: string | null;
  /** Null if the FEN gives no position by the rules. */
  start_fen: string | null;
  comments?: string[];
  moves: Move[];
  moves_end_at: string | null;
  previous: number | null;
  next: number | null;
}

export interface Counts {
  white: number;
  draws: number;
  black: number;
}

export interface Opening {
  eco: string;
  name: string;
}

export interface ExplorerMove extends Counts {
  uci: string;
  san: string;
  averageRating: number | null;
  opening: Opening | null;
}

export interface ExplorerPlayer {
  name: string;
  rating: number | null;
}

export interface ExplorerGame {
  uci?: string;
  id: string;
  winner: 'white' | 'black' | null;
  white: ExplorerPlayer;
  black: ExplorerPlayer;
  year: number | null;
  month?: string | null;
}

export interface Explorer extends Counts {
  moves: ExplorerMove[];
  topGames?: ExplorerGame[];
  recentGames?: ExplorerGame[];
  opening: Opening | null;
  /** Why games could not be read. */
  unread?: string[];
}

export interface Score {
  games: number;
  won: number;
  drawn: number;
  lost: number;
}

export interface NamedScore extends Score {
  name: string;
}

export interface PlayerYear extends Score {
  year: number;
  elo: number | null;
}

export interface PlayerOpening extends Score {
  eco: string;
  name: string | null;
}

export interface Player {
  name: string;
  white: Score;
  black: Score;
  best_elo: number | null;
  first_year: number | null;
  last_year: number | null;
  years: PlayerYear[];
  opponents: NamedScore[];
  openings: { white: PlayerOpening[]; black: PlayerOpening[] };
  /** Why games could not be read. */
  unread?: string[];
}

export interface Stats {
  white: Score;
  plies: number;
  events: number;
  players: number;
  years: Record<string, number>;
  eco: Record<string, number>;
  most_games: (NamedScore & { best_elo: number | null })[];
  /** Why games could not be read. */
  unread?: string[];
}

export interface TagValues {
  values: { value: string; games: number }[];
}

export interface PlayerNames {
  players: { name: string; games: number }[];
}

export interface TagNames {
  tags: string[];
}
