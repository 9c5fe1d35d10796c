// Any version of Node may load this file and svc.js, so they use only old syntax.

/** Why svc cannot run on a version of Node such as `18.19.0`; null if it can. */
export function nodeFault(version) {
  const parts = version.split('.').map(Number);
  const fits = parts[0] > 20 || (parts[0] === 20 && parts[1] >= 19);
  if (fits) return null;
  return `svc: it needs Node 20.19 or later, and this is Node ${version}: install a newer one.`;
}
