/** Requesting again what is shown: by a button after an error, and when an archive has grown. */
import { useEffect, useState } from 'preact/hooks';

const listeners = new Set<() => void>();
let version = 0;

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
    listeners.add(listener);
    listener();
    return () => {
      listeners.delete(listener);
    };
  }, []);
  return seen;
}
