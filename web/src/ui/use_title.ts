import { useEffect } from 'preact/hooks';

/** Sets the title of the document, the most particular part first. */
export function useTitle(...parts: string[]) {
  const title = [...parts, 'pgna'].filter(Boolean).join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
