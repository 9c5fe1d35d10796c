import type { JSX } from 'react';
import type { Runtime } from '../../data/service.ts';
import { toolsText } from '../../model/run-text.ts';
import { enforcedLimitsText, selfTestText, sentence } from '../../model/runtime-text.ts';
import { Badge } from '../../parts/Badge.tsx';
import styles from './SettingsView.module.css';

/** Lists the runtimes: readiness with the steps to fix it, enforced limits, and the sandbox. */
export function Runtimes({ runtimes }: { readonly runtimes: readonly Runtime[] }): JSX.Element {
  return (
    <section aria-labelledby="runtimes">
      <h2 id="runtimes">Runtimes</h2>
      <ul className={styles['list']}>
        {runtimes.map((runtime) => (
          <li key={runtime.id} className={styles['entry']}>
            <span className={styles['name']}>
              {runtime.id}
              {runtime.isDefault ? <span className={styles['quiet']}> default</span> : null}
            </span>
            <div>
              <Readiness runtime={runtime} />
              <Held runtime={runtime} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Readiness({ runtime: { ready, reason } }: { readonly runtime: Runtime }): JSX.Element {
  if (ready) return <Badge word="Ready" tone="ok" />;
  return (
    <>
      <Badge word="Not ready" tone="warn" /> {reason === null ? null : sentence(reason)}{' '}
      <span className={styles['quiet']}>
        Run <code>svc doctor</code> to check.
      </span>
    </>
  );
}

function Held({ runtime }: { readonly runtime: Runtime }): JSX.Element {
  const { tools, toolAllowList, permissionModes, resume, svcManage } = runtime.holds;
  const facts = [
    `${sentence(enforcedLimitsText(runtime).join('; '))}.`,
    toolAllowList === 'none'
      ? 'Provides the tools of its command.'
      : `Provides ${toolsText({ runsAs: 'agent', tools })}.`,
    `Permission modes: ${permissionModes.length === 0 ? 'none' : permissionModes.join(', ')}.`,
    resume ? 'Supports continuing a chat.' : 'Starts each turn without history.',
    svcManage === 'none' ? 'Provides no svc operations.' : [],
  ].flat();
  return (
    <ul className={styles['held']}>
      {facts.map((fact) => (
        <li key={fact}>{fact}</li>
      ))}
      <li className={runtime.fence.verdict === 'fails' ? styles['broken'] : undefined}>
        {selfTestText(runtime)}
      </li>
    </ul>
  );
}
