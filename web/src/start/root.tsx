/** The page on a static host: it asks for an archive first. */
import { App } from '../app';
import { opened } from '../source/opened';
import '../styles/start.css';
import { Activity } from './activity';
import { NotOpened } from './not_opened';
import { makeOffline } from './offline';
import { OpenAnother } from './open_another';
import { Opening } from './opening';
import { StartPage } from './start_page';

makeOffline();

export function Root() {
  const place = opened.use();
  if (place === undefined) return <StartPage />;
  return (
    <>
      <App
        waiting={<Opening place={place} />}
        failed={(error) => <NotOpened place={place} error={error} />}
        tools={<OpenAnother />}
      />
      <Activity />
    </>
  );
}
