import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import type { Run } from '../../data/api-types.ts';
import { triggersQuery } from '../../data/queries.ts';
import { inertText } from '../../model/inert-text.ts';
import {
  connectionsText,
  type HostGroup,
  type HostRow,
  hostGroupsOf,
  isAllowable,
} from '../../model/network-text.ts';
import { useFileReadOnly } from '../../parts/read-only.ts';
import { AllowHost } from './AllowHost.tsx';
import styles from './RunNetwork.module.css';

// More hosts are collapsed.
const MOST_OPEN = 6;

interface RunProps {
  readonly run: Run;
}

/** The hosts that the processes of a run connected to; renders nothing if they are not recorded. */
export function RunNetwork({ run }: RunProps): JSX.Element | null {
  if (run.network === null) return null;
  const groups = hostGroupsOf(run.network);
  return (
    <section aria-labelledby="network" className={styles['network']}>
      <h2 id="network">Network</h2>
      {groups.length === 0 ? <p>No connections.</p> : null}
      {groups.map((group) => (
        <Group key={group.title} run={run} group={group} />
      ))}
    </section>
  );
}

interface GroupProps extends RunProps {
  readonly group: HostGroup;
}

function Group({ run, group: { title, hosts, more } }: GroupProps): JSX.Element {
  const list = (
    <ul className={styles['hosts']}>
      {hosts.map((host, at) => (
        <Host key={`${host.target} ${host.reason}`} run={run} host={host} next={hosts[at + 1]} />
      ))}
    </ul>
  );
  const rest =
    more === 0 ? null : (
      <p className={styles['rest']}>{connectionsText(more)} to hosts that are not listed.</p>
    );
  if (hosts.length <= MOST_OPEN) {
    return (
      <div>
        <h3 className={styles['title']}>{title}</h3>
        {list}
        {rest}
      </div>
    );
  }
  return (
    <details>
      <summary className={styles['summary']}>
        {title}: {hosts.length} hosts
      </summary>
      {list}
      {rest}
    </details>
  );
}

interface HostProps extends RunProps {
  readonly host: HostRow;
  /** The host below; a reason that both share is shown there. */
  readonly next: HostRow | undefined;
}

function Host({ run, host, next }: HostProps): JSX.Element {
  const { target, facts, reason } = host;
  return (
    <li>
      <div className={styles['host']}>
        <span className={styles['target']}>{inertText(target)}</span>
        <span className={styles['facts']}>{facts}</span>
        {reason === null ? null : <Allow run={run} host={host} />}
      </div>
      {reason === null || reason === next?.reason ? null : (
        <p className={styles['facts']}>{inertText(reason)}</p>
      )}
    </li>
  );
}

/** The button that allows a refused host, where the user can change that. */
function Allow({ run, host }: Omit<HostProps, 'next'>): JSX.Element | null {
  const { project: slug, trigger: name, source } = run;
  const { data } = useQuery(triggersQuery(slug));
  const noWriting = useFileReadOnly(slug);
  const stored = data?.triggers.find((each) => each.name === name);
  if (source !== 'trigger' || stored === undefined || noWriting !== undefined) return null;
  return isAllowable(host, stored.run) ? (
    <AllowHost slug={slug} name={name} host={host.target} />
  ) : null;
}
