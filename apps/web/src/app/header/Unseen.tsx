import { Popover } from '@base-ui/react/popover';
import { Link } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import type { Run } from '../../data/api-types.ts';
import { markSeen } from '../../data/seen.ts';
import { inertText } from '../../model/inert-text.ts';
import { stateLabelOf } from '../../model/outcomes.ts';
import { unseenSummary } from '../../model/unseen.ts';
import { Badge } from '../../parts/Badge.tsx';
import controls from '../../parts/controls.module.css';
import { TONE_ICONS } from '../../parts/icons.ts';
import { usePopupContainer } from '../../parts/popup-container.ts';
import { Ago } from '../../parts/Time.tsx';
import tones from '../../parts/tones.module.css';
import styles from './panels.module.css';

const MOST = 12;

/** Lists the runs that finished since the last visit, newest first. */
export function Unseen({ runs }: { readonly runs: readonly Run[] }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const { tone, count, rest } = unseenSummary(runs);
  const Icon = TONE_ICONS[tone];
  const more = runs.length - MOST;
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger className={`${controls['quiet']} ${styles['tone']} ${tones[tone]}`}>
        <Icon size={16} aria-hidden />
        <span>
          {count}
          <span className={styles['word']}>{rest}</span>
        </span>
      </Popover.Trigger>
      <Popover.Portal container={usePopupContainer()}>
        <Popover.Positioner className={controls['popups']} sideOffset={4} align="start">
          <Popover.Popup className={styles['panel']}>
            <Popover.Title className={styles['title']}>
              Finished since your last visit
            </Popover.Title>
            <ul className={styles['list']}>
              {runs.slice(0, MOST).map((run) => (
                <Ended key={run.id} run={run} onLeave={() => setOpen(false)} />
              ))}
            </ul>
            {more > 0 ? <p className={styles['quiet']}>and {more} more</p> : null}
            <button
              type="button"
              className={controls['button']}
              onClick={() => markSeen(String(runs[0]?.endedAt))}
            >
              Mark all as read
            </button>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

interface EndedProps {
  readonly run: Run;
  readonly onLeave: () => void;
}

function Ended({ run, onLeave }: EndedProps): JSX.Element {
  return (
    <li className={styles['entry']}>
      <div className={styles['words']}>
        <Link
          to="/projects/$slug/runs/$runId"
          params={{ slug: run.project, runId: run.id }}
          className={styles['name']}
          onClick={onLeave}
        >
          {inertText(run.trigger)}
        </Link>
        <span className={styles['quiet']}>
          {run.project}, <Ago at={run.endedAt ?? run.claimedAt} />
        </span>
      </div>
      <Badge {...stateLabelOf(run)} />
    </li>
  );
}
