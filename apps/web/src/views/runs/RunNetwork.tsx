import type { JSX } from 'react';
import type { Run } from '../../data/api-types.ts';
import { type HostGroup, hostGroupsOf } from '../../model/network-text.ts';
import styles from './Runs.module.css';

// More hosts are collapsed.
const MOST_OPEN = 6;

/** The hosts that the processes of a run connected to; renders nothing if they are not recorded. */
export function RunNetwork({ run: { network } }: { readonly run: Run }): JSX.Element | null {
  if (network === null) return null;
  const groups = hostGroupsOf(network);
  return (
    <section aria-labelledby="network">
      <h2 id="network">Network</h2>
      <div className={styles['network']}>
        {groups.length === 0 ? <p>No connections.</p> : null}
        {groups.map((group) => (
          <Hosts key={`${group.title} ${group.reason}`} group={group} />
        ))}
      </div>
    </section>
  );
}

function Hosts({ group: { title, reason, hosts } }: { readonly group: HostGroup }): JSX.Element {
  const why = reason === null ? null : <p className={styles['why']}>{reason}</p>;
  if (hosts.length <= MOST_OPEN) {
    return (
      <div>
        <p className={styles['hosts']}>
          {title}: {hosts.join(', ')}
        </p>
        {why}
      </div>
    );
  }
  return (
    <div>
      <details>
        <summary className={styles['summary']}>
          {title}: {hosts.length} hosts
        </summary>
        <ul className={styles['refused']}>
          {hosts.map((host) => (
            <li key={host} className={styles['hosts']}>
              {host}
            </li>
          ))}
        </ul>
      </details>
      {why}
    </div>
  );
}
