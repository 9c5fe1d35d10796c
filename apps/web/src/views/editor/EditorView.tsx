import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useParams, useSearch } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { Catalog, InvalidEntry, StoredTrigger, TriggerPut } from '../../data/api-types.ts';
import { triggerQuery } from '../../data/editor-queries.ts';
import { triggersQuery } from '../../data/queries.ts';
import { useIsSessionKnown } from '../../data/session.ts';
import type { TriggerPath } from '../../data/trigger-changes.ts';
import { useProject } from '../../data/use-project.ts';
import { issueText, placeText } from '../../model/describe.ts';
import { NEW_TRIGGER } from '../../model/draft.ts';
import { inertText } from '../../model/inert-text.ts';
import controls from '../../parts/controls.module.css';
import { Heading } from '../../parts/Heading.tsx';
import { ErrorNotice, Loading } from '../../parts/Loading.tsx';
import { isNotFound, Missing, NoProject } from '../../parts/Missing.tsx';
import { Notice } from '../../parts/Notice.tsx';
import { ParentLink } from '../../parts/ParentLink.tsx';
import { usePageTitle } from '../../parts/use-page-title.ts';
import { Editor } from './Editor.tsx';

function useAddress() {
  const { slug = '', name = '' } = useParams({ strict: false });
  const { name: project, isMissing } = useProject(slug);
  const list = useQuery(triggersQuery(slug));
  const isNowhere = isMissing && list.data === undefined;
  // The form waits for the session, so that its buttons do not change under the pointer.
  const isKnown = useIsSessionKnown();
  return { slug, name, project, list, isMissing, isNowhere, isKnown };
}

/** Creates a trigger, or a copy of another one. */
export function NewTriggerView(): JSX.Element {
  const { slug, project, list, isNowhere, isKnown } = useAddress();
  const { from } = useSearch({ strict: false });
  usePageTitle('New trigger', project);
  if (isNowhere) return <NoProject />;
  const { data, error } = list;
  const like = data?.triggers.find(({ name }) => name === from);
  const record: TriggerPut = like === undefined ? NEW_TRIGGER : copyOf(like);
  const opening = { slug, name: null, record, stored: null, condition: 'if-none' } as const;
  return (
    <>
      <ParentLink>
        <Triggers slug={slug} project={project} />
      </ParentLink>
      <Heading title="New trigger" />
      {error !== null && data === undefined ? <ErrorNotice error={error} /> : null}
      {data === undefined || !isKnown ? (
        <Loading />
      ) : (
        <Editor opening={opening} catalog={data.catalog} />
      )}
    </>
  );
}

// A copy is disabled, like every new trigger.
function copyOf({ trigger, run, policy }: TriggerPut): TriggerPut {
  return { trigger, ...(run && { run }), ...(policy && { policy }), enabled: false };
}

/** Edits a trigger, or replaces an invalid entry. */
export function TriggerView(): JSX.Element {
  const { slug, name, project, list, isMissing, isNowhere, isKnown } = useAddress();
  usePageTitle(name, project);
  const { data: stored, error } = useQuery(triggerQuery({ slug, name }));
  if (isNowhere) return <NoProject />;
  const isGone = isNotFound(error);
  const invalid = list.data?.invalid.find((each) => each.name === name);
  if (isGone && stored === undefined && list.data !== undefined && invalid === undefined) {
    return (
      <Missing what="trigger">
        <Triggers slug={slug} project={project} />
      </Missing>
    );
  }
  const trouble = list.error ?? (isGone ? null : error);
  const isHere = isKnown && list.data !== undefined && (stored !== undefined || isGone);
  return (
    <>
      <ParentLink>
        <Triggers slug={slug} project={project} />
      </ParentLink>
      <Heading title={name}>
        <Link
          to="/projects/$slug/triggers/$name/why"
          params={{ slug, name }}
          className={controls['button']}
        >
          Why?
        </Link>
      </Heading>
      {isHere ? (
        <Existing
          slug={slug}
          name={name}
          stored={stored ?? null}
          isGone={isGone}
          isProjectGone={isMissing}
          invalid={invalid}
          catalog={list.data.catalog}
        />
      ) : (
        <NotYet trouble={trouble} />
      )}
    </>
  );
}

interface ProjectProps {
  readonly slug: string;
  /** The name of the project. */
  readonly project: string;
}

function Triggers({ slug, project }: ProjectProps): JSX.Element {
  return (
    <Link to="/projects/$slug" params={{ slug }}>
      Triggers of {project}
    </Link>
  );
}

function NotYet({ trouble }: { readonly trouble: Error | null }): JSX.Element {
  return trouble === null ? <Loading /> : <ErrorNotice error={trouble} />;
}

interface ExistingProps extends TriggerPath {
  readonly stored: StoredTrigger | null;
  /** Whether the file contains no valid trigger of this name. */
  readonly isGone: boolean;
  /** Whether the project has no project.yaml. */
  readonly isProjectGone: boolean;
  readonly invalid: InvalidEntry | undefined;
  readonly catalog: Catalog;
}

function Existing(props: ExistingProps): JSX.Element {
  const { slug, name, stored, isGone, isProjectGone, invalid, catalog } = props;
  const allowHost = useLocation({ select: ({ state }) => state.allowHost });
  const isDeleted = isGone && invalid === undefined;
  const opening = {
    slug,
    name,
    record: stored?.record ?? NEW_TRIGGER,
    stored: isGone ? null : stored,
    condition: isDeleted ? 'if-none' : 'always',
    allowHost,
  } as const;
  return (
    <>
      {invalid === undefined ? null : <InvalidNotice invalid={invalid} />}
      {isDeleted ? (
        <Notice tone="warn" role="status">
          <p>
            {isProjectGone
              ? 'project.yaml was deleted while you were editing. Restore it to save your changes.'
              : `${inertText(name)} was deleted from project.yaml while you were editing. Saving adds it again.`}
          </p>
        </Notice>
      ) : null}
      <Editor key={`${slug} ${name}`} opening={opening} catalog={catalog} />
    </>
  );
}

function InvalidNotice({ invalid }: { readonly invalid: InvalidEntry }): JSX.Element {
  return (
    <Notice tone="bad" title="The entry in project.yaml is not valid.">
      <ul>
        {invalid.issues.map((issue) => (
          <li key={`${issue.path} ${issue.message}`}>
            {placeText(issue)}: {issueText(issue)}
          </li>
        ))}
      </ul>
      <p>Saving replaces the whole entry.</p>
    </Notice>
  );
}
