import { FIGURINES } from '../chess/notation';

interface SanProps {
  san: string;
  hasFigurines: boolean;
}

/** A move in SAN, its pieces as figurines or letters. */
export function San({ san, hasFigurines }: SanProps) {
  if (!hasFigurines) return <>{san}</>;
  return (
    <>
      {san.split(/([KQRBN])/).map((part, at) => {
        const figurine = FIGURINES.get(part);
        if (!figurine) return part;
        return (
          // A text has its parts by their places.
          <span key={at} class="figurine">
            {figurine}
          </span>
        );
      })}
    </>
  );
}
