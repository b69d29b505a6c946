import { useState } from 'preact/hooks';
import { Icon } from './icons';

/** A button that copies a text and says whether it did. */
export function CopyButton({ label, text }: { label: string; text: () => Promise<string> }) {
  const [state, setState] = useState<'ready' | 'done' | 'failed'>('ready');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(await text());
      setState('done');
    } catch {
      setState('failed');
    }
    setTimeout(() => setState('ready'), 2000);
  };
  const words = { ready: label, done: 'Copied', failed: 'Not copied' };
  return (
    <button type="button" class="button" onClick={copy}>
      <Icon name={state === 'done' ? 'check' : 'copy'} />{' '}
      <span aria-live="polite">{words[state]}</span>
    </button>
  );
}
