import { ApiError } from '@svc/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import type { JSX } from 'react';
import { triggerQuery } from '../../data/editor-queries.ts';
import { projectsQuery, triggersQuery } from '../../data/queries.ts';
import type { Catalog, InvalidEntry, StoredTrigger, TriggerPut } from '../../data/shapes.ts';
import type { TriggerPath } from '../../data/trigger-changes.ts';
import { issueText, placeText } from '../../model/describe.ts';
import { NEW_TRIGGER } from '../../model/draft.ts';
import { Heading } from '../../parts/Heading.tsx';
import { Notice } from '../../parts/Notice.tsx';
import { usePageTitle } from '../../parts/title.ts';
import { Trouble, Waiting } from '../../parts/Waiting.tsx';
import { Editor } from './Editor.tsx';

function useProject() {
  const { slug = '', name = '' } = useParams({ strict: false });
  const { data: projects } = useQuery(projectsQuery);
  const project = projects?.find((each) => each.slug === slug)?.name ?? slug;
  return { slug, name, project, list: useQuery(triggersQuery(slug)) };
}

/** Makes a trigger, or one like another. */
export function NewTriggerView(): JSX.Element {
  const { slug, project, list } = useProject();
  const { from } = useSearch({ strict: false });
  usePageTitle('New trigger', project);
  const { data, error } = list;
  const like = data?.triggers.find(({ name }) => name === from);
  const record: TriggerPut = like === undefined ? NEW_TRIGGER : copyOf(like);
  const opening = { slug, name: null, record, stored: null, condition: 'if-none' } as const;
  return (
    <>
      <Heading title="New trigger" />
      {error !== null && data === undefined ? <Trouble error={error} /> : null}
      {data === undefined ? <Waiting /> : <Editor opening={opening} catalog={data.catalog} />}
    </>
  );
}

// A copy is off, as every new trigger.
function copyOf({ trigger, run, policy }: TriggerPut): TriggerPut {
  return { trigger, ...(run && { run }), ...(policy && { policy }), enabled: false };
}

/** Changes a trigger, or replaces an entry that cannot be read. */
export function TriggerView(): JSX.Element {
  const { slug, name, project, list } = useProject();
  usePageTitle(name, project);
  const { data: stored, error } = useQuery(triggerQuery({ slug, name }));
  const isGone = error instanceof ApiError && error.code === 'not_found';
  const invalid = list.data?.invalid.find((each) => each.name === name);
  if (isGone && stored === undefined && list.data !== undefined && invalid === undefined) {
    return <NoTrigger project={project} slug={slug} />;
  }
  const trouble = list.error ?? (isGone ? null : error);
  const isHere = list.data !== undefined && (stored !== undefined || isGone);
  return (
    <>
      <Heading title={name} />
      {isHere ? (
        <Existing
          slug={slug}
          name={name}
          stored={stored ?? null}
          isGone={isGone}
          invalid={invalid}
          catalog={list.data.catalog}
        />
      ) : (
        <NotYet trouble={trouble} />
      )}
    </>
  );
}

function NotYet({ trouble }: { readonly trouble: Error | null }): JSX.Element {
  return trouble === null ? <Waiting /> : <Trouble error={trouble} />;
}

interface ExistingProps extends TriggerPath {
  readonly stored: StoredTrigger | null;
  /** Whether the file holds no such trigger that can be read. */
  readonly isGone: boolean;
  readonly invalid: InvalidEntry | undefined;
  readonly catalog: Catalog;
}

function Existing(props: ExistingProps): JSX.Element {
  const { slug, name, stored, isGone, invalid, catalog } = props;
  const isDeleted = isGone && invalid === undefined;
  const opening = {
    slug,
    name,
    record: stored?.record ?? NEW_TRIGGER,
    stored: isGone ? null : stored,
    condition: isDeleted ? 'if-none' : 'always',
  } as const;
  return (
    <>
      {invalid === undefined ? null : <InvalidNotice invalid={invalid} />}
      {isDeleted ? (
        <Notice tone="warn" role="status">
          <p>{name} has been deleted from project.yaml meanwhile. Writing puts it back.</p>
        </Notice>
      ) : null}
      <Editor key={`${slug} ${name}`} opening={opening} catalog={catalog} />
    </>
  );
}

function InvalidNotice({ invalid }: { readonly invalid: InvalidEntry }): JSX.Element {
  return (
    <Notice tone="bad" title="Its entry in project.yaml is not valid.">
      <ul>
        {invalid.issues.map((issue) => (
          <li key={`${issue.path} ${issue.message}`}>
            {placeText(issue)}: {issueText(issue)}
          </li>
        ))}
      </ul>
      <p>What you write here replaces it whole.</p>
    </Notice>
  );
}

function NoTrigger({
  project,
  slug,
}: {
  readonly project: string;
  readonly slug: string;
}): JSX.Element {
  return (
    <>
      <Heading title="There is no such trigger" />
      <p>
        It may have been renamed.{' '}
        <Link to="/projects/$slug" params={{ slug }}>
          Triggers of {project}
        </Link>
      </p>
    </>
  );
}
