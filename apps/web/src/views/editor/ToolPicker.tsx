import type { JSX } from 'react';
import type { Catalog } from '../../data/api-types.ts';
import controls from '../../parts/controls.module.css';
import { TONE_ICONS } from '../../parts/icons.ts';
import styles from './editor.module.css';
import { FieldMessages } from './Field.tsx';
import { useForm } from './form.ts';

const LOOK = ['Read', 'Glob', 'Grep'];
const EDIT = [...LOOK, 'Edit', 'Write', 'NotebookEdit'];
const GROUPS: Readonly<Record<string, string>> = {
  files: 'Files',
  shell: 'Shell',
  web: 'Web',
  agents: 'Agents',
  manage: 'Projects, chats and triggers',
};
const Warning = TONE_ICONS.warn;

/** Selects the tools of an agent, in groups. */
export function ToolPicker(): JSX.Element {
  const { draft, catalog, change } = useForm();
  const { tools } = catalog;
  const presets = {
    'Read-only': LOOK,
    'Edit files': EDIT,
    'All tools': tools.map(({ name }) => name),
  };
  const unknown = draft.tools.filter((name) => !tools.some((tool) => tool.name === name));
  const offered = [
    ...tools,
    ...unknown.map((name) => ({
      name,
      group: 'Unknown to the service',
      description: '',
      dangerous: false,
    })),
  ];
  const groups = [...new Set(offered.map(({ group }) => group))];
  return (
    <>
      <div className={styles['row']}>
        {Object.entries(presets).map(([label, names]) => (
          <button
            key={label}
            type="button"
            className={controls['button']}
            onClick={() => change({ tools: names })}
          >
            {label}
          </button>
        ))}
      </div>
      {groups.map((group) => (
        <Group key={group} group={group} tools={offered.filter((tool) => tool.group === group)} />
      ))}
      <FieldMessages field="tools" />
    </>
  );
}

interface GroupProps {
  readonly group: string;
  readonly tools: Catalog['tools'];
}

function Group({ group, tools }: GroupProps): JSX.Element {
  const { draft, change } = useForm();
  const toggle = (name: string, isWanted: boolean): void => {
    const others = draft.tools.filter((each) => each !== name);
    change({ tools: isWanted ? [...others, name] : others });
  };
  return (
    <fieldset className={styles['group']}>
      <legend>{GROUPS[group] ?? group}</legend>
      <div className={styles['tools']}>
        {tools.map(({ name, description, dangerous }) => (
          <label key={name} className={styles['choice']} title={description}>
            <input
              type="checkbox"
              checked={draft.tools.includes(name)}
              onChange={({ target }) => toggle(name, target.checked)}
            />
            <span className={styles['name']}>{name.replace(/^mcp__svc_manage__/, '')}</span>
            {dangerous ? (
              <span className={styles['danger']} role="img" aria-label="can make changes">
                <Warning size={14} aria-hidden />
              </span>
            ) : null}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
