import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** A wide chart; on a narrow screen it is scrolled to its end, the last years. */
export function ChartScroll({ label, children }: { label: string; children: ComponentChildren }) {
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    if (element.current) element.current.scrollLeft = element.current.scrollWidth;
  }, []);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys scroll what has the focus.
    <section ref={element} class="chart-scroll" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
