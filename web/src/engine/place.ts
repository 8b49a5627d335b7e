/**
 * Where hands are read and scored: on this device in the static site, else by the server that the
 * page came from.
 */

/** Whether the page was built as a static site: there is no server to ask. */
export const ON_DEVICE = import.meta.env.MODE === 'site';
