import { Popover } from '@base-ui/react/popover';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import { cancelTurn } from '../../data/chat-changes.ts';
import { cancelRun } from '../../data/run-queries.ts';
import type { RunningTurn } from '../../data/service.ts';
import { inertText } from '../../model/inert-text.ts';
import controls from '../../parts/controls.module.css';
import { TONE_ICONS } from '../../parts/icons.ts';
import { usePopupContainer } from '../../parts/popup-container.ts';
import { useReadOnly } from '../../parts/read-only.ts';
import { Clock } from '../../parts/Time.tsx';
import tones from '../../parts/tones.module.css';
import styles from './panels.module.css';

interface RunningProps {
  readonly turns: readonly RunningTurn[];
  /** The hosts of the servers by id; empty with a single server. */
  readonly hosts: ReadonlyMap<string, string>;
}

/** Shows how many turns run; a popover lists them, each with its duration and a cancel button. */
export function Running({ turns, hosts }: RunningProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const Icon = TONE_ICONS.run;
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger className={`${controls['quiet']} ${styles['tone']} ${tones['run']}`}>
        <Icon size={16} aria-hidden />
        <span>
          {turns.length}
          <span className={styles['word']}> running</span>
        </span>
      </Popover.Trigger>
      <Popover.Portal container={usePopupContainer()}>
        <Popover.Positioner className={controls['popups']} sideOffset={4} align="start">
          <Popover.Popup className={styles['panel']}>
            <Popover.Title className={styles['title']}>Running now</Popover.Title>
            <ul className={styles['list']}>
              {turns.map((turn) => (
                <Turn
                  key={turn.turnId}
                  turn={turn}
                  host={hosts.get(turn.node ?? '') ?? null}
                  onLeave={() => setOpen(false)}
                />
              ))}
            </ul>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

interface TurnProps {
  readonly turn: RunningTurn;
  /** The host that runs it; null with a single server. */
  readonly host: string | null;
  readonly onLeave: () => void;
}

function Turn({ turn, host, onLeave }: TurnProps): JSX.Element {
  const { project: slug, runId, sessionId, chat, trigger, startedAt } = turn;
  return (
    <li className={styles['entry']}>
      <div className={styles['words']}>
        {runId === null ? (
          <Link
            to="/projects/$slug/chats/$sessionId"
            params={{ slug, sessionId }}
            className={styles['name']}
            onClick={onLeave}
          >
            {inertText(chat)}
          </Link>
        ) : (
          <Link
            to="/projects/$slug/runs/$runId"
            params={{ slug, runId }}
            className={styles['name']}
            onClick={onLeave}
          >
            {inertText(trigger ?? chat)}
          </Link>
        )}
        <span className={styles['quiet']}>
          {slug}, <Clock since={startedAt} />
          {host === null ? null : `, on ${inertText(host)}`}
        </span>
      </div>
      <Cancel turn={turn} />
    </li>
  );
}

function Cancel({ turn }: { readonly turn: RunningTurn }): JSX.Element {
  const { project: slug, runId, sessionId, trigger, chat } = turn;
  const queries = useQueryClient();
  const readOnly = useReadOnly();
  const cancel = useMutation({
    mutationFn: () => (runId === null ? cancelTurn({ slug, sessionId }) : cancelRun(slug, runId)),
    onSettled: () => queries.invalidateQueries({ queryKey: ['status'] }),
  });
  return (
    <div className={styles['action']}>
      <button
        type="button"
        className={controls['button']}
        disabled={cancel.isPending || readOnly !== undefined}
        title={readOnly}
        aria-label={`Cancel: ${inertText(trigger ?? chat)}`}
        onClick={() => cancel.mutate()}
      >
        Cancel
      </button>
      {cancel.error === null ? null : (
        <p role="alert" className={styles['refusal']}>
          {cancel.error.message}
        </p>
      )}
    </div>
  );
}
