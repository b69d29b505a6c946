/** Which archive a page without a server has opened, and how far the reader of it is. */
import { useEffect, useState } from 'preact/hooks';
import type { Place, Progress } from './messages';

/** A value that components follow. */
class Followed<T> {
  private readonly listeners = new Set<(value: T) => void>();

  constructor(private value: T) {}

  get(): T {
    return this.value;
  }

  set(value: T) {
    this.value = value;
    for (const listener of this.listeners) listener(value);
  }

  use(): T {
    const [seen, setSeen] = useState(this.value);
    useEffect(() => {
      const listener = (value: T) => setSeen(() => value);
      listener(this.value);
      this.listeners.add(listener);
      return () => {
        this.listeners.delete(listener);
      };
    }, []);
    return seen;
  }
}

/** The address of the archive in the parameter `archive`, which may be relative to the page. */
function archiveOfAddress(): string | undefined {
  const text = new URLSearchParams(location.search).get('archive');
  if (!text) return undefined;
  return URL.canParse(text, document.baseURI) ? new URL(text, document.baseURI).href : text;
}

/** The archive: that of the address, or a file that was chosen. */
export const opened = new Followed<Place | undefined>(archiveOfAddress());

/** What the reader does; undefined while it has nothing to do. */
export const progress = new Followed<Progress | undefined>(undefined);
