import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Browsers cut elements off at 17 to 33 million pixels; above this the scroll range is scaled. */
const MOST_HEIGHT = 8_000_000;
/** A scroll must rest for so long before the bar is set to where the rows are, in ms. */
const REST = 150;

export interface Scroll {
  element: { current: HTMLDivElement | null };
  /** The height of what is scrolled. */
  height: number;
  /** The first row that is seen, and how many pixels of it are above the edge. */
  first: number;
  shift: number;
  /** The number of rows that fit, the cut ones included. */
  rows: number;
  showRow: (row: number) => void;
}

/**
 * Scrolling over any number of rows of one height. Short scrolls move the rows by their pixels;
 * long ones, by the bar, move them in proportion if the range is scaled. Another `list` begins at
 * the row `start`.
 */
export function useScroll(list: string, total: number, rowHeight: number, start: number): Scroll {
  const element = useRef<HTMLDivElement | null>(null);
  const [viewHeight, setViewHeight] = useState(600);
  const [top, setTop] = useState(start * rowHeight);
  const lastBar = useRef(0);
  const topNow = useRef(top);
  // The row to show first in a list whose length is not known yet.
  const awaited = useRef<number | undefined>(start);
  const full = total * rowHeight;
  const height = Math.min(full, MOST_HEIGHT);
  const mostTop = Math.max(0, full - viewHeight);
  const mostBar = Math.max(0, height - viewHeight);
  const scale = mostBar > 0 ? mostTop / mostBar : 1;

  const place = (wanted: number) => {
    topNow.current = Math.max(0, Math.min(mostTop, wanted));
    setTop(topNow.current);
  };
  const setBar = () => {
    if (!element.current) return;
    element.current.scrollTop = topNow.current / scale;
    lastBar.current = element.current.scrollTop;
  };

  useLayoutEffect(() => {
    const view = element.current;
    if (!view) return;
    const measure = () => {
      setViewHeight(view.clientHeight || 600);
      // The heads of the columns are above the view and leave out what the bar takes.
      const bar = view.offsetWidth - view.clientWidth;
      view.parentElement?.style.setProperty('--scrollbar', `${bar}px`);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(view);
    measure();
    return () => observer.disconnect();
  }, []);

  // A list of another length, or a row of another height, is shown at the same place if it has it.
  useLayoutEffect(() => {
    if (total === 0) return;
    place(awaited.current === undefined ? topNow.current : awaited.current * rowHeight);
    setBar();
  }, [total, rowHeight, viewHeight]);
  useLayoutEffect(() => {
    awaited.current = start;
    place(start * rowHeight);
    setBar();
  }, [list]);

  useEffect(() => {
    const view = element.current;
    if (!view) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const scroll = () => {
      const moved = view.scrollTop - lastBar.current;
      if (moved === 0) return;
      lastBar.current = view.scrollTop;
      awaited.current = undefined;
      const isAtEnd = view.scrollTop <= 0 || view.scrollTop >= mostBar;
      const isShort = scale > 1 && !isAtEnd && Math.abs(moved) < viewHeight;
      place(isShort ? topNow.current + moved : view.scrollTop * scale);
      clearTimeout(timer);
      if (scale > 1) timer = setTimeout(setBar, REST);
    };
    view.addEventListener('scroll', scroll, { passive: true });
    return () => {
      clearTimeout(timer);
      view.removeEventListener('scroll', scroll);
    };
  }, [mostTop, mostBar, scale, viewHeight]);

  const showRow = (row: number) => {
    awaited.current = undefined;
    const [above, below] = [row * rowHeight, (row + 1) * rowHeight - viewHeight];
    if (topNow.current > above) place(above);
    else if (topNow.current < below) place(below);
    setBar();
  };

  const first = Math.floor(top / rowHeight);
  return {
    element,
    height,
    first,
    shift: top - first * rowHeight,
    rows: Math.ceil(viewHeight / rowHeight) + 1,
    showRow,
  };
}
