import { Menu } from '@base-ui/react/menu';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { JSX } from 'react';
import { triggersQuery } from '../../data/queries.ts';
import { entriesOf, triggersIn } from '../../model/entries.ts';
import { outcomesOf, type RunFilter } from '../../model/filters.ts';
import { inertText } from '../../model/inert-text.ts';
import { outcomeWords } from '../../model/outcomes.ts';
import controls from '../../parts/controls.module.css';
import { usePopupContainer } from '../../parts/popup-container.ts';
import styles from './Runs.module.css';

interface RunFiltersProps {
  readonly slug: string;
  readonly filter: RunFilter;
}

/** Filters the runs; the filter is part of the address. */
export function RunFilters({ slug, filter }: RunFiltersProps): JSX.Element {
  const navigate = useNavigate();
  const choose = (part: { [Key in keyof RunFilter]: RunFilter[Key] | undefined }): void => {
    const search = Object.fromEntries(
      Object.entries({ ...filter, ...part }).filter(([, value]) => value !== undefined),
    );
    void navigate({ to: '/projects/$slug/runs', params: { slug }, search, replace: true });
  };
  return (
    <search className={styles['filters']}>
      <label className={styles['filter']}>
        Trigger
        <select
          className={styles['field']}
          value={filter.trigger ?? ''}
          onChange={({ target }) => choose({ trigger: target.value || undefined })}
        >
          <option value="">All</option>
          {useTriggerNames(slug, filter).map((name) => (
            <option key={name} value={name}>
              {inertText(name)}
            </option>
          ))}
        </select>
      </label>
      <OutcomeMenu filter={filter} onChoose={(outcome) => choose({ outcome })} />
      <label className={styles['filter']}>
        From
        <input
          type="date"
          className={styles['field']}
          value={filter.from ?? ''}
          onChange={({ target }) => choose({ from: target.value || undefined })}
        />
      </label>
    </search>
  );
}

// The selected trigger may be deleted and still have runs.
function useTriggerNames(slug: string, { trigger }: RunFilter): readonly string[] {
  const { data } = useQuery(triggersQuery(slug));
  const entries = data === undefined ? [] : entriesOf(slug, data, Date.now());
  const names = new Set(triggersIn(entries).map(({ name }) => name));
  if (trigger !== undefined) names.add(trigger);
  return [...names].sort();
}

interface OutcomeMenuProps {
  readonly filter: RunFilter;
  readonly onChoose: (outcome: string | undefined) => void;
}

function OutcomeMenu({ filter, onChoose }: OutcomeMenuProps): JSX.Element {
  const chosen = outcomesOf(filter);
  const words = [...outcomeWords()].map(([word, outcomes]) => ({
    word,
    outcomes,
    isChosen: outcomes.some((each) => chosen.includes(each)),
  }));
  const said = words.filter(({ isChosen }) => isChosen).map(({ word }) => word);
  const toggle = (outcomes: readonly string[], isWanted: boolean): void => {
    const rest = chosen.filter((each) => !outcomes.includes(each));
    onChoose([...rest, ...(isWanted ? outcomes : [])].join(',') || undefined);
  };
  return (
    <Menu.Root>
      <Menu.Trigger className={`${controls['button']} ${styles['outcomes']}`}>
        Outcome: {said.length === 0 ? 'all' : said.join(', ')}
      </Menu.Trigger>
      <Menu.Portal container={usePopupContainer()}>
        <Menu.Positioner className={controls['popups']} sideOffset={4} align="start">
          <Menu.Popup className={controls['menu']}>
            {words.map(({ word, outcomes, isChosen }) => (
              <Menu.CheckboxItem
                key={word}
                className={controls['item']}
                checked={isChosen}
                onCheckedChange={(isWanted) => toggle(outcomes, isWanted)}
              >
                <span aria-hidden>{isChosen ? '☑' : '☐'}</span>
                {word}
              </Menu.CheckboxItem>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
