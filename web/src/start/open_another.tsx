import { Icon } from '../ui/icons';

/** Back to the start. The page is loaded anew, which closes the archive. */
export function OpenAnother() {
  return (
    <a class="icon-button" href="?" title="Open another archive" aria-label="Open another archive">
      <Icon name="open" />
    </a>
  );
}
