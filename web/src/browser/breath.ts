/** A moment in which the page can do something else: what is long is done in steps with one between. */
export const breath = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
