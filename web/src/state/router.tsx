import type { AnchorHTMLAttributes, ComponentChildren, TargetedMouseEvent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { addressShown, linkOf } from './place';
import { parseRoute, type Route } from './route';

/** Browsers limit how often the history may change, so steps within a page are written late. */
const WRITE_DELAY = 300;

const listeners = new Set<() => void>();
let address = written();
let route = parseRoute(addressShown().pathname, addressShown().search);
let pending: ReturnType<typeof setTimeout> | undefined;
let lastMerge: string | undefined;

/** The address that the browser has. */
function written(): string {
  const { pathname, search } = addressShown();
  return pathname + search;
}

function show(to: string) {
  const url = new URL(to, location.origin);
  address = url.pathname + url.search;
  route = parseRoute(url.pathname, url.search);
  for (const listener of listeners) listener();
}

function write() {
  clearTimeout(pending);
  pending = undefined;
  if (address !== written()) {
    history.replaceState(history.state, '', linkOf(address));
  }
}

export interface Navigation {
  /** Replaces the entry of the history, as a step through a game does. */
  replace?: boolean;
  /** Successive navigations with the same name here make one entry, as typing does. */
  merge?: string;
}

/** Shows another address. */
export function navigate(to: string, { replace = false, merge }: Navigation = {}) {
  if (to === address) return;
  if (replace || (merge !== undefined && merge === lastMerge)) {
    show(to);
    pending ??= setTimeout(write, WRITE_DELAY);
    return;
  }
  write();
  lastMerge = merge;
  history.pushState(null, '', linkOf(to));
  const path = route.page;
  show(to);
  if (route.page !== path) window.scrollTo(0, 0);
}

window.addEventListener('popstate', () => {
  clearTimeout(pending);
  pending = undefined;
  lastMerge = undefined;
  show(written());
});
window.addEventListener('pagehide', write);

/** The address shown, as a route. */
export function useRoute(): Route {
  const [, update] = useState({});
  useEffect(() => {
    const listener = () => update({});
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, []);
  return route;
}

interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'role'> {
  href: string;
  children: ComponentChildren;
}

/** A link within the page. With a modifier key it opens as the browser does. */
export function Link({ href, onClick, ...rest }: LinkProps) {
  const follow = (event: TargetedMouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const isPlain = !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (event.defaultPrevented || event.button !== 0 || !isPlain) return;
    event.preventDefault();
    navigate(href);
  };
  return <a href={linkOf(href)} onClick={follow} {...rest} />;
}
