import { useState } from 'preact/hooks';

/** Whether a text is an address that can be opened, whole or relative to the page. */
function isAddress(text: string): boolean {
  return (
    URL.canParse(text, document.baseURI) &&
    /^https?:$/.test(new URL(text, document.baseURI).protocol)
  );
}

/** An archive on a server. */
export function AddressForm() {
  const [isWrong, setWrong] = useState(false);
  const open = (event: SubmitEvent) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget as HTMLFormElement).get('archive')).trim();
    const isValid = text !== '' && isAddress(text);
    setWrong(!isValid);
    // The address of the page has that of the archive, so that it can be passed on.
    if (isValid) location.assign(`?archive=${encodeURIComponent(text)}`);
  };
  return (
    <form class="address-form" onSubmit={open} noValidate>
      <label for="archive-address">Address of an archive</label>
      <div>
        <input
          id="archive-address"
          name="archive"
          type="text"
          inputMode="url"
          autocomplete="url"
          autocapitalize="off"
          spellcheck={false}
          placeholder="https://example.org/games.pgna"
          aria-invalid={isWrong}
          aria-describedby="archive-address-hint"
          onInput={() => setWrong(false)}
        />
        <button type="submit" class="button">
          Open
        </button>
      </div>
      <p id="archive-address-hint" class={isWrong ? 'wrong' : 'quiet'} aria-live="polite">
        {isWrong
          ? 'This is not an address of http or https.'
          : 'Only the parts that you look at are loaded.'}
      </p>
    </form>
  );
}
