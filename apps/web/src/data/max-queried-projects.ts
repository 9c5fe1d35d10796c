/**
 * With more projects than this, per-project queries are skipped: they would keep the service and the page busy for minutes.
 */
export const MAX_QUERIED_PROJECTS = 100;
