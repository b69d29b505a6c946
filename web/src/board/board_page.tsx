import type { ComponentChildren } from 'preact';

interface BoardPageProps {
  /** Classes of the page that change its measures. */
  class?: string;
  /** The board, with what is above and below it. */
  board: ComponentChildren;
  /** What is beside the board, or below it on a narrow screen. */
  panel: ComponentChildren;
  /** Dialogs over the page. */
  children?: ComponentChildren;
}

/** A page with a board and a panel beside it. */
export function BoardPage({ class: name = '', board, panel, children }: BoardPageProps) {
  return (
    <article class={`board-page ${name}`}>
      <div class="board-column">{board}</div>
      <div class="board-panel">{panel}</div>
      {children}
    </article>
  );
}
