import { isIPv6 } from 'node:net';
import { type Checked, invalid, success } from '@svc/core';

const LONGEST = 2048;
const HOST = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/;
const USER = /^[A-Za-z0-9_][A-Za-z0-9._+-]*$/;
const FORMS = 'write https://host/path, ssh://user@host/path or user@host:path';
const NO_SECRET =
  'addresses appear in files and logs. Leave it out and configure credentials in git';

/**
 * Checks the address of a git repository to clone: `https://host[:port]/path`, `ssh://[user@]host[:port]/path` or
 * `[user@]host:path`, at most 2048 characters, without password, spaces and control characters. Other transports of
 * git(1) run programs, read local files or cannot be trusted. The path of the issue is `repo`; messages never
 * contain the address.
 */
export function checkRepoAddress(text: string): Checked<string> {
  const fault = shapeFault(text) ?? (text.includes('://') ? urlFault(text) : scpFault(text));
  return fault === null ? success(text) : invalid({ path: 'repo', message: fault });
}

function shapeFault(text: unknown): string | null {
  if (typeof text !== 'string' || text === '') return `is missing: ${FORMS}.`;
  if (text.length > LONGEST) return `must have at most ${LONGEST} characters.`;
  if (text.startsWith('-')) return `must not begin with "-": ${FORMS}.`;
  if (/^[A-Za-z0-9+.-]*::/.test(text)) {
    return `must not have the form "transport::address": ${FORMS}.`;
  }
  if (/[\p{Cc}\p{Cf}\p{Cs}\s\\]/u.test(text)) {
    return 'must not contain spaces, backslashes or invisible characters. In a path, write %20 for a space.';
  }
  if (/%(?:[01][0-9a-f]|7f)/i.test(text)) {
    return 'must not contain control characters, encoded ones included.';
  }
  return isLocal(text)
    ? `must not be a path on this machine: ${FORMS}; for a host of one letter, ssh://host/path.`
    : null;
}

// As git distinguishes them (git-clone(1), GIT URLS): a colon before the first slash makes an address remote.
function isLocal(text: string): boolean {
  return /^[A-Za-z]:/.test(text) || !/^(?:[^/@]*@)?(?:\[[^\]/]*\]|[^/:]*):/.test(text);
}

function urlFault(text: string): string | null {
  const [, scheme = '', authority = '', path = ''] = /^([^/]*):\/\/([^/]*)(.*)$/.exec(text) ?? [];
  const at = authority.lastIndexOf('@');
  const user = at === -1 ? null : authority.slice(0, at);
  if (scheme !== 'https' && scheme !== 'ssh') {
    return `must begin with https:// or ssh://: ${FORMS}.`;
  }
  if (scheme === 'https' && user !== null) {
    return `must not contain a user or a password in an https address: ${NO_SECRET}.`;
  }
  if (scheme === 'https' && /[?#]/.test(text)) {
    return `must not contain "?" or "#" in an https address: ${NO_SECRET}.`;
  }
  return (
    userFault(user) ??
    hostAndPortFault(authority.slice(at + 1)) ??
    pathFault(path.replace(/^\/+/, ''), { isUrl: true })
  );
}

// Schemes of mistyped addresses, which git would take for a host.
const SCHEMES = /^(?:https?|ssh|git|file|ext|fd|ftps?|rsync|svn|bundle|git\+ssh|ssh\+git)$/i;

function scpFault(text: string): string | null {
  const found = /^(?:([^@:/]*)@)?(\[[^\]]*\]|[^:/]*):(.*)$/.exec(text);
  if (found === null) return `is not a valid address: ${FORMS}.`;
  const [, user = null, host = '', path = ''] = found;
  if (user === null && /^[^/]*@/.test(path)) return passwordFault();
  if (SCHEMES.test(host)) return `must have two slashes after https: and ssh:; ${FORMS}.`;
  if (path.startsWith(':')) return `must not have the form "transport::address": ${FORMS}.`;
  return userFault(user) ?? hostFault(host) ?? pathFault(path, { isUrl: false });
}

function userFault(user: string | null): string | null {
  if (user === null || USER.test(user)) return null;
  if (user.includes(':')) return passwordFault();
  return 'must have a user of letters, digits, ".", "_", "+" and "-" that does not begin with "-".';
}

function passwordFault(): string {
  return `must not contain a password: ${NO_SECRET}.`;
}

function hostAndPortFault(text: string): string | null {
  const [, host = '', port = null] = /^(\[[^\]]*\]?|[^:]*)(?::(.*))?$/.exec(text) ?? [];
  const isPort = port === null || (/^\d{1,5}$/.test(port) && Number(port) >= 1 && +port <= 65_535);
  if (!isPort) return 'must have a port from 1 to 65535.';
  return hostFault(host);
}

function hostFault(host: string): string | null {
  if (host === '') return `has no host: ${FORMS}.`;
  if (HOST.test(host)) return null;
  if (host.startsWith('[') && host.endsWith(']') && isIPv6(host.slice(1, -1))) return null;
  return 'must have a host that is a name of letters, digits, ".", "_" and "-" that does not begin with "-", or an IP address (version 6 in brackets).';
}

function pathFault(path: string, { isUrl }: { readonly isUrl: boolean }): string | null {
  if (path.replace(/^\/+/, '') === '') return `has no repository: ${FORMS}.`;
  if (isUrl || !path.startsWith('-')) return null;
  return 'must have a path that does not begin with "-": write it from the root, as in ssh://host/path.';
}
