import { useState } from 'preact/hooks';
import { getBlob } from '../api/client';
import { IS_STATIC } from '../build';
import { Icon } from './icons';

/** How long the browser has to begin with a file before it is given up, in ms. */
const LIFE = 60_000;

async function download(url: string, name: string) {
  const blob = await getBlob(url);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), LIFE);
}

/** Saves an answer as a file. Without a server the browser cannot request it by itself. */
export function DownloadButton({ url, name }: { url: string; name: string }) {
  const [hasFailed, setFailed] = useState(false);
  const save = () =>
    download(url, name).then(
      () => setFailed(false),
      () => setFailed(true),
    );
  const label = (
    <>
      <Icon name="download" />{' '}
      <span aria-live="polite">{hasFailed ? 'Not downloaded' : 'Download'}</span>
    </>
  );
  if (!IS_STATIC) {
    return (
      <a class="button" href={url} download={name}>
        {label}
      </a>
    );
  }
  return (
    <button type="button" class="button" onClick={save}>
      {label}
    </button>
  );
}
