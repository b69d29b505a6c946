/** Whether this is the page for a static host, which reads archives itself, or that of a server. */
export const IS_STATIC = import.meta.env.MODE === 'static';
