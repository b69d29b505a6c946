import type { Archive } from '../api/types';
import { href } from '../state/route';
import { Link } from '../state/router';
import { EmptyNote } from '../ui/states';
import { isLimited } from './list_params';

export function EmptyList({ query, archive }: { query: URLSearchParams; archive: Archive }) {
  if (!isLimited(query)) return <EmptyNote title="The archive has no games" />;
  return (
    <EmptyNote title="No game meets all conditions">
      <p>
        Names may be spelled differently: type a part of a name and choose from those of the
        archive.
      </p>
      <p>
        <Link class="button" href={href(archive.name, 'games')}>
          Show all games
        </Link>
      </p>
    </EmptyNote>
  );
}
