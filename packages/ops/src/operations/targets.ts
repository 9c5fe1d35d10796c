import { failure, isId, type Result, success } from '@svc/core';
import { type Caller, invalidInput, notFound, type OperationError } from '@svc/engine';
import { isSlug } from '@svc/trigger-schema';
import type { OpsDeps } from '../deps.ts';
import {
  type Cloning,
  type FoundChat,
  type Operation,
  type OperationEffect,
  type OperationTarget,
  policyOf,
  type Targets,
} from './operation.ts';

type Found<K extends OperationTarget> = Promise<Result<Targets[K], OperationError>>;

/** The arguments that identify a target. */
export interface TargetArguments {
  readonly project?: string;
  readonly session_id?: string;
}

/** What the scope of a caller allows for projects. */
interface Reach {
  reaches(caller: Caller, effect: OperationEffect, slug: string): boolean;
  reachesEvery(caller: Caller, effect: OperationEffect): boolean;
  cloning(caller: Caller): Cloning;
  /** The sentence of every denial. */
  denial(caller: Caller, operation: string): string;
}

/** Where targets are looked up. */
export type TargetDeps = Pick<OpsDeps, 'store' | 'projects'>;

/** Finds the target of a call, and refuses targets outside the scope of the caller before anything about them is revealed. */
export interface TargetFinder {
  find(
    caller: Caller,
    operation: Operation,
    args: TargetArguments,
  ): Promise<Result<Targets[OperationTarget], OperationError>>;
  /** The existing target of the arguments, even if the caller must not know; for the log only. */
  named(args: TargetArguments): Promise<{ project: string | null; target: string | null }>;
}

export function createTargetFinder(deps: TargetDeps, access: Reach): TargetFinder {
  return {
    async find(caller, operation, args) {
      const at = { deps, access, caller, operation, args };
      switch (policyOf(operation)?.target) {
        case 'service':
          return success(null);
        case 'changes':
          return changes(at);
        case 'enumerates':
          return enumeration(at);
        case 'project':
          return project(at);
        case 'chat':
          return chat(at);
        case 'new_project':
          return success({
            mayCreate: (slug) => reaches(at, slug),
            cloning: access.cloning(caller),
          });
        default:
          return denied(at);
      }
    },
    async named({ project: slug, session_id: id }) {
      const detail = id !== undefined && isId(id) ? await deps.store.chats.get(id) : null;
      if (detail !== null) return { project: detail.chat.project, target: detail.chat.sessionId };
      const known = slug !== undefined && (await deps.projects.snapshot(slug)) !== null;
      return { project: known ? slug : null, target: null };
    },
  };
}

interface Place {
  readonly deps: TargetDeps;
  readonly access: Reach;
  readonly caller: Caller;
  readonly operation: Operation;
  readonly args: TargetArguments;
}

function reaches({ access, caller, operation }: Place, slug: string): boolean {
  return access.reaches(caller, operation.policy.effect, slug);
}

function reachesAll(at: Place, slugs: readonly string[]): boolean {
  return slugs.every((slug) => reaches(at, slug));
}

function reachesEvery({ access, caller, operation }: Place): boolean {
  return access.reachesEvery(caller, operation.policy.effect);
}

function denied({ access, caller, operation }: Place): {
  readonly ok: false;
  error: OperationError;
} {
  return failure({ code: 'not_permitted', message: access.denial(caller, operation.name) });
}

async function changes(at: Place): Found<'changes'> {
  const { project: named } = at.args;
  if (named === undefined) return success({ sees: (slug) => reaches(at, slug) });
  const found = await projectNamed(at, named);
  return found.ok ? success({ sees: (slug) => slug === named }) : found;
}

async function enumeration(at: Place): Found<'enumerates'> {
  const { project: named } = at.args;
  if (named === undefined) return success({ slugs: await visibleSlugs(at), named: null });
  const found = await projectNamed(at, named);
  return found.ok ? success({ slugs: [named], named }) : found;
}

async function visibleSlugs(at: Place): Promise<string[]> {
  const here = (await at.deps.projects.list()).filter((slug) => reaches(at, slug));
  // A second name of a folder must not lead to a project outside the scope.
  const real = await Promise.all(here.map((slug) => at.deps.projects.snapshot(slug)));
  return here.filter((_, i) => {
    const snapshot = real[i];
    return snapshot != null && reachesAll(at, snapshot.names);
  });
}

async function project(at: Place): Found<'project'> {
  const slug = at.args.project ?? (await currentProject(at));
  if (slug === null) return failure(WHICH_PROJECT);
  return projectNamed(at, slug);
}

// Projects outside the scope are denied without checking whether they exist.
async function projectNamed(at: Place, slug: string): Found<'project'> {
  if (!reaches(at, slug)) return denied(at);
  if (!isSlug(slug)) return reachesEvery(at) ? failure(notFound('project')) : denied(at);
  const snapshot = await at.deps.projects.snapshot(slug);
  if (snapshot === null) return failure(notFound('project'));
  return reachesAll(at, snapshot.names) ? success(snapshot) : denied(at);
}

const WHICH_PROJECT = invalidInput([
  {
    path: 'project',
    message: 'Specify the argument project. list_projects lists the projects you may use.',
  },
]);

// The project of a keeper; for others, the only project named in their scope, or else the only visible one.
async function currentProject(at: Place): Promise<string | null> {
  const { project: own, scope } = at.caller;
  if (own !== null) return own;
  const literal = scope.projects.filter((pattern) => !pattern.endsWith('*'));
  if (literal.length === 1) return literal[0] ?? null;
  const visible = await visibleSlugs(at);
  return visible.length === 1 ? (visible[0] ?? null) : null;
}

async function chat(at: Place): Found<'chat'> {
  const { session_id: given, project: named } = at.args;
  if (named !== undefined) {
    const found = await projectNamed(at, named);
    if (!found.ok) return found;
  }
  const sessionId = given ?? at.caller.sessionId;
  if (sessionId === null) return failure(WHICH_CHAT);
  const found = await chatOf(at, sessionId);
  if (found !== null) {
    if (!reachesAll(at, found.snapshot.names)) return denied(at);
    const elsewhere = named !== undefined && named !== found.chat.project;
    return elsewhere ? failure(notFound('chat')) : success(found);
  }
  // A caller with a limited scope cannot distinguish an inaccessible chat from one that does not exist.
  if (!reachesEvery(at)) return denied(at);
  const isOld =
    named !== undefined &&
    isId(sessionId) &&
    (await at.deps.store.retention.mayHaveHad(named, sessionId));
  return failure(isOld ? REMOVED_CHAT : notFound('chat'));
}

const REMOVED_CHAT: OperationError = {
  code: 'not_found',
  message:
    'There is no such chat. It may have been removed by retention, with the runs of its trigger.',
  pruned: true,
};

// An inaccessible chat takes the same work as one that does not exist.
async function chatOf(at: Place, sessionId: string): Promise<FoundChat | null> {
  const { store, projects } = at.deps;
  const detail = isId(sessionId) ? await store.chats.get(sessionId) : null;
  if (detail === null || !reaches(at, detail.chat.project)) return null;
  const snapshot = await projects.snapshot(detail.chat.project);
  return snapshot === null ? null : { snapshot, ...detail };
}

const WHICH_CHAT = invalidInput([
  {
    path: 'session_id',
    message: 'Specify the argument session_id. list_chats lists the chats you may use.',
  },
]);
