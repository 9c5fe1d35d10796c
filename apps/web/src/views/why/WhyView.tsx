import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type FormEvent, type JSX, useId, useState } from 'react';
import type { TriggerPath } from '../../data/trigger-changes.ts';
import { useProject } from '../../data/use-project.ts';
import { whyQuery } from '../../data/why-queries.ts';
import { inertText } from '../../model/inert-text.ts';
import { fieldTime, instantOf } from '../../model/instant-field.ts';
import controls from '../../parts/controls.module.css';
import { Heading } from '../../parts/Heading.tsx';
import { ErrorNotice, Loading } from '../../parts/Loading.tsx';
import { isNotFound, Missing } from '../../parts/Missing.tsx';
import { ParentLink } from '../../parts/ParentLink.tsx';
import { When } from '../../parts/Time.tsx';
import { usePageTitle } from '../../parts/use-page-title.ts';
import { ChangeList } from './ChangeList.tsx';
import styles from './Why.module.css';

/** Explains the decision about one instant of a trigger, and lists the changes of the trigger. */
export function WhyView(): JSX.Element {
  const { slug = '', name = '' } = useParams({ strict: false });
  const { at = null } = useSearch({ strict: false }) as { readonly at?: string };
  const { name: project } = useProject(slug);
  usePageTitle(`Why: ${name}`, project);
  const { error } = useQuery(whyQuery({ slug, name }, at));
  if (isNotFound(error)) {
    return (
      <Missing what="trigger">
        <Link to="/projects/$slug" params={{ slug }}>
          Triggers of {inertText(project)}
        </Link>
      </Missing>
    );
  }
  return (
    <>
      <ParentLink>
        <Link to="/projects/$slug/triggers/$name" params={{ slug, name }}>
          {inertText(name)}
        </Link>
      </ParentLink>
      <Heading title={`Why: ${name}`} />
      <Question key={at} slug={slug} name={name} at={at} />
      <Answer slug={slug} name={name} at={at} />
      <section aria-labelledby="changes" className={styles['part']}>
        <h2 id="changes" className={styles['title']}>
          Changes
        </h2>
        <ChangeList slug={slug} name={name} />
      </section>
    </>
  );
}

interface AskedProps extends TriggerPath {
  /** null: the newest slot. */
  readonly at: string | null;
}

function Question({ slug, name, at }: AskedProps): JSX.Element {
  const { data } = useQuery(whyQuery({ slug, name }, at));
  const [typed, setTyped] = useState<string | null>(null);
  const navigate = useNavigate();
  const field = useId();
  const shown = typed ?? fieldTime(at ?? data?.at ?? null);
  const ask = (event: FormEvent): void => {
    event.preventDefault();
    const instant = instantOf(shown);
    const search = instant === null ? {} : { at: instant };
    void navigate({ to: '/projects/$slug/triggers/$name/why', params: { slug, name }, search });
  };
  return (
    <form className={styles['question']} onSubmit={ask}>
      <label htmlFor={field}>Scheduled time</label>
      <input
        id={field}
        className={styles['field']}
        type="datetime-local"
        step={1}
        required
        value={shown}
        onChange={({ target }) => setTyped(target.value)}
      />
      <button type="submit" className={controls['primary']}>
        Explain
      </button>
      <span className={styles['quiet']}>
        Enter your local time. The answer uses the time zone of the trigger.
      </span>
    </form>
  );
}

function Answer({ slug, name, at }: AskedProps): JSX.Element {
  const { data, error } = useQuery(whyQuery({ slug, name }, at));
  return (
    <div role="status" className={styles['answer']}>
      {error === null ? null : <ErrorNotice error={error} />}
      {data === undefined && error === null ? <Loading rows={2} /> : null}
      {data?.sentences.map((sentence) => (
        <p key={sentence}>{inertText(sentence)}</p>
      ))}
      {data?.runId == null ? null : (
        <p>
          <Link to="/projects/$slug/runs/$runId" params={{ slug, runId: data.runId }}>
            Open run
          </Link>
        </p>
      )}
      <Nearest slug={slug} name={name} times={[data?.before ?? null, data?.after ?? null]} />
    </div>
  );
}

interface NearestProps extends TriggerPath {
  readonly times: readonly (string | null)[];
}

function Nearest({ slug, name, times }: NearestProps): JSX.Element | null {
  const now = Date.now();
  const there = times.filter((time) => time !== null);
  if (there.length === 0) return null;
  return (
    <p className={styles['nearest']}>
      {there.map((time) => (
        <Link
          key={time}
          to="/projects/$slug/triggers/$name/why"
          params={{ slug, name }}
          search={{ at: time }}
        >
          {Date.parse(time) > now ? (
            <>
              Explain&nbsp;
              <When at={time} />
            </>
          ) : (
            <>
              Why&nbsp;
              <When at={time} />?
            </>
          )}
        </Link>
      ))}
    </p>
  );
}
