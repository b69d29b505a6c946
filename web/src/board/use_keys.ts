import { useEffect, useRef } from 'preact/hooks';

export type Keys = Record<string, () => void>;

/** Whether keys belong to the element that has the focus: it takes text or moves a selection. */
function isTaken(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const selector =
    'input, textarea, select, dialog, [contenteditable], [role=grid], [role=listbox]';
  return target.closest(selector) !== null;
}

/** Calls a function when its key is pressed outside of fields. */
export function useKeys(keys: Keys) {
  // Keys can follow each other faster than effects, so they are read when one is pressed.
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isTaken(event.target) || document.querySelector('dialog[open]')) return;
      const { current } = latest;
      const action = Object.hasOwn(current, event.key) ? current[event.key] : undefined;
      if (!action) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
