/** Address of the page below `/api`. */
export const DOCS_PATH = '/docs';

/** Address of its style below `/api`. */
export const STYLE_PATH = '/docs/style.css';
