import { Icon } from '../ui/icons';
import { useDrop } from './use_drop';

/** A local file, chosen or dropped. */
export function FileField({ onFile }: { onFile: (file: File) => void }) {
  const isOver = useDrop(onFile);
  const choose = (files: FileList | null) => {
    const file = files?.[0];
    if (file) onFile(file);
  };
  return (
    <section class={`file-field ${isOver ? 'is-over' : ''}`} aria-label="From the disk">
      <Icon name="open" />
      <label class="button button-main">
        <input type="file" class="hidden" onChange={(event) => choose(event.currentTarget.files)} />
        Choose a file
      </label>
      <p>or drop it here</p>
      <p class="quiet">The file stays on your device. Nothing is uploaded.</p>
    </section>
  );
}
