/** The columns of the list. */
export interface Column {
  name: string;
  label: string;
  /** The field by which the server sorts; empty for the order of the archive. */
  field: string;
  isDescendingFirst?: boolean;
}

export const COLUMNS: Column[] = [
  { name: 'number', label: '#', field: '' },
  { name: 'white', label: 'White', field: 'White' },
  { name: 'white-elo', label: 'Elo', field: 'WhiteElo', isDescendingFirst: true },
  { name: 'result', label: 'Result', field: 'Result' },
  { name: 'black', label: 'Black', field: 'Black' },
  { name: 'black-elo', label: 'Elo', field: 'BlackElo', isDescendingFirst: true },
  { name: 'date', label: 'Date', field: 'Date', isDescendingFirst: true },
  { name: 'eco', label: 'ECO', field: 'ECO' },
  { name: 'event', label: 'Event', field: 'Event' },
  { name: 'moves', label: 'Moves', field: 'plies', isDescendingFirst: true },
];
