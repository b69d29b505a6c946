import { useEffect, useState } from 'preact/hooks';

/** What the browser remembers for a reader, and the values it may have; the first is the default. */
const CHOICES = {
  theme: ['auto', 'light', 'dark'],
  notation: ['figurines', 'letters'],
} as const;

type Name = keyof typeof CHOICES;
type Choice<N extends Name> = (typeof CHOICES)[N][number];

const listeners = new Set<() => void>();

/** Storage can be forbidden; then a choice lasts as long as the page. */
const fallback = new Map<string, string>();

function read<N extends Name>(name: N): Choice<N> {
  let stored: string | null | undefined = fallback.get(name);
  try {
    stored = localStorage.getItem(`pgna.${name}`) ?? stored;
  } catch {
    // The fallback has it.
  }
  const choices: readonly string[] = CHOICES[name];
  return (stored && choices.includes(stored) ? stored : choices[0]) as Choice<N>;
}

function write<N extends Name>(name: N, value: Choice<N>) {
  fallback.set(name, value);
  try {
    localStorage.setItem(`pgna.${name}`, value);
  } catch {
    // The fallback has it.
  }
  applyTheme();
  for (const listener of listeners) listener();
}

/** Sets the theme on the document. The style sheet does the rest. */
export function applyTheme() {
  const theme = read('theme');
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** A preference, and the function that chooses the next value of it. */
export function usePreference<N extends Name>(name: N): [Choice<N>, () => void] {
  const [value, setValue] = useState(read(name));
  useEffect(() => {
    const listener = () => setValue(read(name));
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, [name]);
  const next = () => {
    const choices = CHOICES[name] as readonly Choice<N>[];
    const at = choices.indexOf(read(name));
    write(name, choices[(at + 1) % choices.length] ?? value);
  };
  return [value, next];
}
