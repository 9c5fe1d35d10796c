// This file and svc.js are read by whatever Node there is, so they keep to syntax that old ones know.

/** What is wrong with a version of Node such as `18.19.0`; null when svc runs on it. */
export function nodeFault(version) {
  const parts = version.split('.').map(Number);
  const fits = parts[0] > 20 || (parts[0] === 20 && parts[1] >= 19);
  if (fits) return null;
  return `svc: it needs Node 20.19 or later, and this is Node ${version}: install a newer one.`;
}
