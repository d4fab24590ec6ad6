/** Style of the pages. */
export const style = `:root { color-scheme: light dark }`;
