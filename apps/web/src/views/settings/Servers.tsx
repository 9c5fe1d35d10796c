import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { statusQuery } from '../../data/service.ts';
import { inertText } from '../../model/inert-text.ts';
import {
  evictedText,
  type GoneFacts,
  type PlaceFacts,
  placeText,
  projectsText,
  type ServerStanding,
  serversOf,
  turnsText,
  versionsText,
} from '../../model/server-text.ts';
import { fullText } from '../../model/times.ts';
import { Badge } from '../../parts/Badge.tsx';
import { Notice } from '../../parts/Notice.tsx';
import styles from './SettingsView.module.css';

// The heartbeat interval of servers; no change event announces a heartbeat.
const LOOK_AGAIN_MS = 4000;

// Servers of an earlier version do not report their address.
function isShared(status: Standing | undefined): boolean {
  if (status === undefined) return false;
  return status.nodes.length > 1 || (status.places?.length ?? 0) > 0;
}

interface Standing {
  readonly nodes: readonly object[];
  readonly places?: readonly object[];
}

/** Lists the servers that share the database, with their state; marks the one that serves this page. */
export function Servers(): JSX.Element | null {
  const { data, error } = useQuery({
    ...statusQuery,
    refetchInterval: ({ state }) => (isShared(state.data) ? LOOK_AGAIN_MS : false),
  });
  if (data === undefined) return null;
  const servers = serversOf(data.nodes, data.answeredBy);
  const versions = versionsText(servers);
  // A server of an earlier version, behind the same address, does not report them.
  const differences = data.differences ?? [];
  // A server of an earlier version does not report them.
  const { places = [], gone = [] } = data;
  const placeOf = (id: string): PlaceFacts | undefined => places.find(({ node }) => node === id);
  const [only, ...others] = servers;
  return (
    <section aria-labelledby="servers">
      <h2 id="servers">Servers</h2>
      {versions === null ? null : (
        <Notice tone="warn" title="The servers run different versions.">
          <p>{inertText(versions)}. This is expected only during an update.</p>
        </Notice>
      )}
      {differences.length === 0 ? null : (
        <Notice tone="warn" title="The servers have different settings.">
          {differences.map((difference) => (
            <p key={difference}>{inertText(difference)}</p>
          ))}
        </Notice>
      )}
      {error === null ? null : (
        <p role="alert">This information may be out of date: {inertText(error.message)}</p>
      )}
      {others.length > 0 ? (
        <ul className={styles['list']}>
          {servers.map((server) => (
            <Server key={server.id} server={server} place={placeOf(server.id)} />
          ))}
        </ul>
      ) : null}
      {only !== undefined && others.length === 0 ? <Only server={only} /> : null}
      {gone.length > 0 ? <Gone servers={gone} /> : null}
    </section>
  );
}

interface ServerProps {
  readonly server: ServerStanding;
}

function Only({ server }: ServerProps): JSX.Element {
  return (
    <p>
      One server: {inertText(server.host)}, version {inertText(server.version)}, started{' '}
      <Started server={server} />.
    </p>
  );
}

function Server({
  server,
  place,
}: ServerProps & { readonly place: PlaceFacts | undefined }): JSX.Element {
  const found = placeText(place);
  const { host, mark, version, isThis, isSilent, seen, running } = server;
  return (
    <li className={styles['entry']}>
      <span className={styles['name']}>
        {inertText(host)}
        {isThis ? <span className={styles['quiet']}> serves this page</span> : null}
        {mark === null ? null : <span className={styles['mark']}>{inertText(mark)}</span>}
      </span>
      <div>
        {isSilent ? (
          <p role="status" className={styles['standing']}>
            <Badge word="Not responding" tone="bad" /> Last heartbeat {seen}. After 20 s, other
            servers take over its projects.
          </p>
        ) : (
          <p className={styles['standing']}>
            <Badge word="Online" tone="ok" /> Last heartbeat {seen}.
          </p>
        )}
        <ul className={styles['held']}>
          {place === undefined ? null : <li>{projectsText(place.projects)}</li>}
          <li>{turnsText(running)}</li>
          {found === null ? null : <li>{inertText(found)}</li>}
          <li>
            Version {inertText(version)}, started <Started server={server} />.
          </li>
        </ul>
      </div>
    </li>
  );
}

function Started({ server: { startedAt, since } }: ServerProps): JSX.Element {
  return (
    <time dateTime={startedAt} title={fullText(startedAt)}>
      {since}
    </time>
  );
}

function Gone({ servers }: { readonly servers: readonly GoneFacts[] }): JSX.Element {
  return (
    <>
      <h3 className={styles['gone']}>Stopped or lost in the last 24 hours</h3>
      <ul className={styles['list']}>
        {servers.map((server) => (
          <GoneServer key={server.id} server={server} />
        ))}
      </ul>
    </>
  );
}

function GoneServer({ server }: { readonly server: GoneFacts }): JSX.Element {
  const { id, host, home, how, goneAt, heartbeatAt } = server;
  const isLost = how === 'lost';
  const at = isLost ? heartbeatAt : goneAt;
  return (
    <li className={styles['entry']}>
      <span className={styles['name']}>
        {inertText(host)}
        <span className={styles['mark']}>{inertText(home ?? id)}</span>
      </span>
      <div>
        <p className={styles['standing']}>
          <Badge word={isLost ? 'Lost' : 'Stopped'} tone={isLost ? 'bad' : 'idle'} />{' '}
          {isLost ? 'Last heartbeat:' : 'Shut down:'} <time dateTime={at}>{fullText(at)}</time>.
        </p>
        {isLost ? <p className={styles['taken']}>{evictedText(server)}</p> : null}
      </div>
    </li>
  );
}
