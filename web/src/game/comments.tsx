/** Comments, each in its own direction. */
export function Comments({ texts, isInline = false }: { texts: string[]; isInline?: boolean }) {
  const Element = isInline ? 'span' : 'p';
  const shown = texts.filter((text) => text.trim() !== '');
  return (
    <>
      {shown.map((text, at) => (
        <Element key={`${at}${text.slice(0, 20)}`} class="comment" dir="auto">
          {text}
        </Element>
      ))}
    </>
  );
}
