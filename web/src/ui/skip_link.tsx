/** The first link, past the header. The fragment of the address may be in use, so it stays. */
export function SkipLink() {
  const skip = (event: Event) => {
    event.preventDefault();
    document.getElementById('main')?.focus();
  };
  return (
    // biome-ignore lint/a11y/useValidAnchor: it leads to a place in the page.
    <a class="skip" href="#main" onClick={skip}>
      To the content
    </a>
  );
}
