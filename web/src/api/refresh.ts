/** Requesting again what is shown: by a button after an error, and when an archive has grown. */
import { useEffect, useState } from 'preact/hooks';

const listeners = new Set<() => void>();
let version = 0;

/** Calls a function at each refresh, until the function that is returned is called. */
export function onRefresh(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Requests all that is shown again. What was received before is not used any more. */
export function refresh() {
  version += 1;
  for (const listener of listeners) listener();
}

/** A number that each refresh changes. */
export function useVersion(): number {
  const [seen, setSeen] = useState(version);
  useEffect(() => {
    const listener = () => setSeen(version);
    listener();
    return onRefresh(listener);
  }, []);
  return seen;
}
