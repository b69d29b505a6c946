import type { ComponentChildren } from 'preact';
import type { ApiError } from '../api/error';
import { refresh } from '../api/refresh';

/** Appears after a moment, so that what loads fast does not flicker. */
export function Loading({ text = 'Loading…' }: { text?: string }) {
  return (
    <p class="loading" role="status">
      {text}
    </p>
  );
}

/** The most reasons that are listed. */
const MOST_REASONS = 5;

interface NoteProps {
  title: string;
  children?: ComponentChildren;
}

/** Whether a request may succeed another time: no answer, too slow, too busy. */
function isPassing({ status }: ApiError): boolean {
  return [0, 408, 502, 503, 504].includes(status);
}

interface ErrorProps extends NoteProps {
  error?: ApiError | undefined;
  /** Whether it is in place of a page, so that its title is that of the page. */
  isPage?: boolean;
}

export function ErrorNote({ title, error, isPage = false, children }: ErrorProps) {
  const Heading = isPage ? 'h1' : 'h2';
  return (
    <div class="note note-error" role="alert">
      <Heading>{title}</Heading>
      {error && <p dir="auto">{error.message}</p>}
      {children}
      {error && isPassing(error) && (
        <p>
          <button type="button" class="button" onClick={refresh}>
            Retry
          </button>
        </p>
      )}
    </div>
  );
}

/** Says that an answer lacks games of a damaged archive. */
export function UnreadNote({ unread }: { unread: string[] | undefined }) {
  if (!unread?.length) return null;
  return (
    <details class="unread">
      <summary>The archive is damaged: games are missing here</summary>
      <ul>
        {unread.slice(0, MOST_REASONS).map((reason) => (
          <li key={reason} dir="auto">
            {reason}
          </li>
        ))}
      </ul>
    </details>
  );
}

export function EmptyNote({ title, children }: NoteProps) {
  return (
    <div class="note">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
