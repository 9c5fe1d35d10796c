import { isLoopbackName } from '@svc/core';

/** Checks whether a page of an origin may call; a request without an Origin header always may. */
export type OriginCheck = (origin: string | undefined) => boolean;

interface Host {
  readonly hostname: string;
  /** Null: any port. */
  readonly port: string | null;
}

const SHAPE = /^https?:\/\/[^\s/?#@\\]+$/i;
const ENTRY = /^(\[[^\]]+\]|[^:/?#@\s]+)(?::(\d{1,5}))?$/;

/** Creates the check: loopback, the public origin and the public hosts are allowed, everything else is refused. */
export function createOriginCheck(publicUrl: string, publicHosts: readonly string[]): OriginCheck {
  const publicOrigin = new URL(publicUrl).origin;
  const hosts = publicHosts.map(hostOf).filter((host) => host !== null);
  return (origin) => {
    if (origin === undefined) return true;
    if (!SHAPE.test(origin) || !URL.canParse(origin)) return false;
    const url = new URL(origin);
    if (url.origin === publicOrigin || isLoopbackName(url.hostname)) return true;
    const port = url.port === '' ? defaultPort(url) : url.port;
    return hosts.some(
      (host) => host.hostname === url.hostname && (host.port === null || host.port === port),
    );
  };
}

function hostOf(entry: string): Host | null {
  const [, name, port] = ENTRY.exec(entry.trim()) ?? [];
  if (name === undefined || !URL.canParse(`http://${name}`)) return null;
  return {
    hostname: new URL(`http://${name}`).hostname,
    port: port === undefined ? null : String(Number(port)),
  };
}

function defaultPort(url: URL): string {
  return url.protocol === 'https:' ? '443' : '80';
}
