import { bodyOf } from '@svc/client';
import { infiniteQueryOptions } from '@tanstack/react-query';
import type { ChatFilter } from '../model/filters.ts';
import { api } from './api.ts';

const PAGE = 50;
const MESSAGES = 200;

/** The chats of a project, newest first, by pages. */
export const chatPagesQuery = (slug: string, filter: ChatFilter) =>
  infiniteQueryOptions({
    queryKey: ['project', slug, 'chats', filter],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ signal, pageParam }) => {
      const cursor = pageParam === undefined ? {} : { cursor: pageParam };
      const query = { includeArchived: filter.archived === true, limit: PAGE, ...cursor };
      const params = { path: { slug }, query };
      return bodyOf(await api.GET('/api/projects/{slug}/chats', { params, signal }));
    },
    getNextPageParam: ({ next }) => next ?? undefined,
  });

/** A chat with its messages by pages: the newest first, each in reading order. */
export const chatQuery = (slug: string, sessionId: string) =>
  infiniteQueryOptions({
    queryKey: ['project', slug, 'chat', sessionId],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ signal, pageParam }) => {
      const cursor = pageParam === undefined ? {} : { cursor: pageParam };
      const params = { path: { slug, sessionId }, query: { limit: MESSAGES, ...cursor } };
      return bodyOf(await api.GET('/api/projects/{slug}/chats/{sessionId}', { params, signal }));
    },
    getNextPageParam: ({ next }) => next ?? undefined,
  });
