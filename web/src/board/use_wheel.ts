import { useRef } from 'preact/hooks';
import type { Steps } from './step_buttons';

/** How far the wheel turns for a step, in pixels, and how many of these a line has. */
const [STEP, LINE] = [30, 40];

/** Steps through moves by the wheel over a board, where it does not scroll the page then. */
export function useWheel(steps: Pick<Steps, 'previous' | 'next'>) {
  const turned = useRef(0);
  return (event: WheelEvent) => {
    const { deltaX, deltaY, deltaMode, ctrlKey } = event;
    // With Control the wheel changes the size of the page.
    if (ctrlKey || Math.abs(deltaX) > Math.abs(deltaY)) return;
    event.preventDefault();
    turned.current += deltaMode === WheelEvent.DOM_DELTA_PIXEL ? deltaY : LINE * deltaY;
    if (Math.abs(turned.current) < STEP) return;
    if (turned.current > 0) steps.next();
    else steps.previous();
    turned.current = 0;
  };
}
