import { getBlob } from '../api/client';
import { IS_STATIC } from '../build';
import { Icon } from './icons';

/** How long the browser has to begin with a file before it is given up, in ms. */
const LIFE = 60_000;

async function download(url: string, name: string) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await getBlob(url));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), LIFE);
}

/** Saves an answer as a file. Without a server the browser cannot request it by itself. */
export function DownloadButton({ url, name }: { url: string; name: string }) {
  const label = (
    <>
      <Icon name="download" /> Download
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
    <button type="button" class="button" onClick={() => download(url, name)}>
      {label}
    </button>
  );
}
