/** Whether the page was built as a static site: there is no server to ask. */
export const ON_DEVICE = import.meta.env.MODE === 'site';
