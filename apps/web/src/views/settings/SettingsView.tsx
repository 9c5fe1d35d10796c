import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { type ManagementClient, type Setting, settingsQuery } from '../../data/service.ts';
import { useSandboxLack } from '../../data/use-sandbox-lack.ts';
import { settingGroups, valueText } from '../../model/setting-groups.ts';
import { Heading } from '../../parts/Heading.tsx';
import { ErrorNotice, Loading } from '../../parts/Loading.tsx';
import { SandboxNotice } from '../../parts/SandboxNotice.tsx';
import { usePageTitle } from '../../parts/use-page-title.ts';
import { Alerts } from './Alerts.tsx';
import { Runtimes } from './Runtimes.tsx';
import { Servers } from './Servers.tsx';
import styles from './SettingsView.module.css';

/** Servers, effective settings with their source, clients of `/mcp`, and readiness of runtimes. Read-only. */
export function SettingsView(): JSX.Element {
  usePageTitle('Settings');
  const { data, error } = useQuery(settingsQuery);
  const lack = useSandboxLack();
  return (
    <>
      <Heading title="Settings" />
      {lack === null ? null : <SandboxNotice lack={lack} />}
      {error !== null && data === undefined ? <ErrorNotice error={error} /> : null}
      {data === undefined && error === null ? <Loading rows={8} /> : null}
      {data === undefined ? null : (
        <>
          <Servers />
          <Runtimes runtimes={data.runtimes} />
          <Alerts alerts={data.alerts} />
          <Clients clients={data.clients} />
          <section aria-labelledby="rest">
            <h2 id="rest">API</h2>
            <p>
              All operations, with examples: <a href="/api/docs">REST API reference</a>
            </p>
          </section>
          <InForce settings={data.settings} />
        </>
      )}
    </>
  );
}

function Clients({ clients }: { readonly clients: readonly ManagementClient[] }): JSX.Element {
  return (
    <section aria-labelledby="clients">
      <h2 id="clients">/mcp clients</h2>
      {clients.length === 0 ? (
        <p>
          No clients configured. Add one to <code>managementApi</code> in svc.config.yaml.
        </p>
      ) : (
        <ul className={styles['list']}>
          {clients.map(({ clientId, scope }) => (
            <li key={clientId} className={styles['entry']}>
              <span className={styles['name']}>{clientId}</span>
              <ul className={styles['scope']}>
                <li>
                  allowed: <Names names={scope.allow} none="nothing" />
                </li>
                {scope.deny.length === 0 ? null : (
                  <li>
                    denied: <Names names={scope.deny} none="" />
                  </li>
                )}
                <li>
                  projects: <Names names={scope.projects} none="none" />
                </li>
                {scope.denyProjects.length === 0 ? null : (
                  <li>
                    denied projects: <Names names={scope.denyProjects} none="" />
                  </li>
                )}
                {scope.maxSpawnDepth === null ? null : (
                  <li>maximum spawn depth: {scope.maxSpawnDepth}</li>
                )}
              </ul>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface NamesProps {
  readonly names: readonly string[];
  readonly none: string;
}

function Names({ names, none }: NamesProps): JSX.Element {
  if (names.length === 0) return <>{none}</>;
  return <code>{names.join(', ')}</code>;
}

const SOURCES = {
  default: 'default',
  file: 'svc.config.yaml',
  environment: 'environment',
  flag: 'command line',
} as const;

function InForce({
  settings,
}: {
  readonly settings: Readonly<Record<string, Setting>>;
}): JSX.Element {
  return (
    <section aria-labelledby="in-force">
      <h2 id="in-force">Effective settings</h2>
      <p>
        Read-only. To change a setting, edit <code>svc.config.yaml</code> and restart the service.
      </p>
      {settingGroups(settings).map(({ title, settings: group }) => (
        <table key={title} className={styles['table']}>
          <caption>{title}</caption>
          <thead className={styles['unseen']}>
            <tr>
              <th scope="col">Setting</th>
              <th scope="col">Value</th>
              <th scope="col">Source</th>
            </tr>
          </thead>
          <tbody>
            {group.map(([name, { value, source }]) => (
              <tr key={name}>
                <th scope="row">
                  <code>{name}</code>
                </th>
                <td>{valueText(name, value)}</td>
                <td data-source={source}>{SOURCES[source]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </section>
  );
}
