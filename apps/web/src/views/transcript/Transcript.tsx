import { type JSX, lazy, type ReactNode, Suspense } from 'react';
import type { Message } from '../../data/api-types.ts';
import { inertText } from '../../model/inert-text.ts';
import { type NoticeDiff, parseNoticeDiff } from '../../model/notice-diff.ts';
import { actorText } from '../../model/run-text.ts';
import {
  type Block,
  type CallBlock,
  callSummary,
  cutText,
  dataOf,
  inputText,
  isInstructions,
  isLong,
} from '../../model/transcript.ts';
import { Dot } from '../../parts/Badge.tsx';
import { Diff } from '../../parts/Diff.tsx';
import { When } from '../../parts/Time.tsx';
import { LongText } from './LongText.tsx';
import styles from './Transcript.module.css';

const Markdown = lazy(async () => ({ default: (await import('./Markdown.tsx')).Markdown }));

interface TranscriptProps {
  readonly blocks: readonly Block[];
  /** Whether prompts and successful results are folded at any length. Default: no. */
  readonly isBrief?: boolean;
}

/** The messages and tool calls of a chat, in order. */
export function Transcript({ blocks, isBrief = false }: TranscriptProps): ReactNode {
  return blocks.map((block) =>
    block.kind === 'call' ? (
      <Call key={block.seq} call={block} isBrief={isBrief} />
    ) : (
      <Said key={block.seq} message={block.message} isBrief={isBrief} />
    ),
  );
}

interface CallProps {
  readonly call: CallBlock;
  readonly isBrief: boolean;
}

function Call({ call, isBrief }: CallProps): JSX.Element {
  const { name, result, isError } = call;
  const cut = cutText(result);
  const input = inputText(call.input);
  const isOpen = isError || (!isBrief && !isLong(input + (result ?? '')));
  const sign = signOfCall(call);
  return (
    <details className={styles['call']} open={isOpen} data-tone={sign.tone}>
      <summary className={styles['summary']}>
        <Dot tone={sign.tone} name={sign.word} />
        <strong>{inertText(name)}</strong>
        <code className={styles['about']}>{inertText(callSummary(call))}</code>
        {cut === null ? null : <span className={styles['quiet']}>truncated</span>}
      </summary>
      <div className={styles['inside']}>
        {input === '' ? null : <LongText text={input} what="input" />}
        {result === null ? <p className={styles['quiet']}>Running.</p> : null}
        {result === null || result === '' ? null : <LongText text={result} what="result" />}
        {cut === null ? null : (
          <p className={styles['quiet']}>This result was truncated. {inertText(cut)}</p>
        )}
      </div>
    </details>
  );
}

function signOfCall({ result, isError }: CallBlock) {
  if (result === null) return { word: 'Running', tone: 'run' } as const;
  return isError
    ? ({ word: 'Failed', tone: 'bad' } as const)
    : ({ word: 'Succeeded', tone: 'ok' } as const);
}

interface SaidProps {
  readonly message: Message;
  readonly isBrief: boolean;
}

function Said({ message, isBrief }: SaidProps): JSX.Element {
  const { role, kind, text, by, timestamp } = message;
  if (isInstructions(message)) return <Instructions text={text} />;
  const data = dataOf(message);
  if (data !== null) return <EventNotice text={text} data={data} />;
  if (kind === 'notice') return <Notice text={text} isBrief={isBrief} />;
  if (role === 'assistant') {
    return (
      <div className={styles['said']}>
        <Suspense fallback={<p className={styles['output']}>{inertText(text)}</p>}>
          <Markdown text={inertText(text)} />
        </Suspense>
      </div>
    );
  }
  return (
    <details className={styles['asked']} open={!isBrief && !isLong(text)}>
      <summary className={styles['summary']}>
        <strong>Prompt</strong>
        <span className={styles['quiet']}>
          {by === null ? 'from the trigger' : `requested by ${actorText(by)}`},{' '}
          <When at={timestamp} />
        </span>
      </summary>
      <div className={styles['inside']}>
        <LongText text={text} what="prompt" />
      </div>
    </details>
  );
}

// Instructions are long and rarely of interest.
function Instructions({ text }: { readonly text: string }): JSX.Element {
  return (
    <details className={styles['asked']}>
      <summary className={styles['summary']}>
        <strong>Instructions</strong>
        <span className={styles['quiet']}>sent to the agent before every prompt</span>
      </summary>
      <div className={styles['inside']}>
        <LongText text={text} what="text" />
      </div>
    </details>
  );
}

function EventNotice({ text, data }: { readonly text: string; readonly data: string }) {
  return (
    <details className={styles['asked']}>
      <summary className={styles['summary']}>{inertText(text.split('\n', 1)[0] ?? '')}</summary>
      <div className={styles['inside']}>
        <LongText text={data} what="data" />
      </div>
    </details>
  );
}

// A notice of the service about a turn: its permissions at the start, its summary at the end.
function Notice({ text, isBrief }: { readonly text: string; readonly isBrief: boolean }) {
  const diff = parseNoticeDiff(text);
  if (diff !== null) return <Written diff={diff} />;
  const [first = '', ...more] = inertText(text).split('\n');
  if (more.length === 0) return <p className={styles['notice']}>{first}</p>;
  return (
    <details className={styles['notice']} open={isBrief}>
      <summary className={styles['summary']}>{first}</summary>
      <ul className={styles['facts']}>
        {more.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </details>
  );
}

const MOST_LINES_OPEN = 24;

function Written({ diff: { words, lines } }: { readonly diff: NoticeDiff }): JSX.Element {
  return (
    <details className={styles['asked']} open={lines.length <= MOST_LINES_OPEN}>
      <summary className={styles['summary']}>{inertText(words)}</summary>
      <div className={styles['changes']}>
        <Diff lines={lines} />
      </div>
    </details>
  );
}
