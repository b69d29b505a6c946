import { useEffect, useRef } from 'preact/hooks';
import { IS_STATIC } from '../build';
import { getJson } from './client';
import { refresh } from './refresh';
import type { Archive } from './types';

/**
 * Looks, whenever the window is returned to, whether the archives have changed, and requests what
 * is shown again if they have: games may have been appended. A page without a server does not look:
 * its reader notices by itself if the archive is another one.
 */
export function useGrowth(archives: Archive[] | undefined) {
  const shown = useRef(archives);
  shown.current = archives;
  useEffect(() => {
    if (IS_STATIC) return;
    let isLooking = false;
    const look = async () => {
      if (isLooking || !shown.current || document.visibilityState === 'hidden') return;
      isLooking = true;
      try {
        const now = await getJson<Archive[]>('/api/archives');
        if (JSON.stringify(now) !== JSON.stringify(shown.current)) refresh();
      } catch {
        // What is shown remains; the next request reports a server that does not answer.
      } finally {
        isLooking = false;
      }
    };
    window.addEventListener('focus', look);
    document.addEventListener('visibilitychange', look);
    return () => {
      window.removeEventListener('focus', look);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
}
