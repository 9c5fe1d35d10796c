import { type Route, route } from './route.ts';

/** Routes for chats. */
export function chatRoutes(): Route[] {
  return [...transcriptRoutes(), ...archivingRoutes()];
}

function transcriptRoutes(): Route[] {
  return [
    route({
      method: 'get',
      path: '/projects/:slug/chats',
      operation: 'list_chats',
      tag: 'chats',
      status: 200,
      query: { includeArchived: 'include_archived', limit: 'limit', cursor: 'cursor' },
    }),
    route({
      method: 'get',
      path: '/projects/:slug/chats/:sessionId',
      operation: 'read_transcript',
      id: 'read_chat',
      tag: 'chats',
      status: 200,
      query: { limit: 'limit', cursor: 'cursor', after: 'after' },
    }),
    route({
      method: 'post',
      path: '/projects/:slug/chats',
      operation: 'create_chat',
      tag: 'chats',
      status: 201,
      body: { id: 'NewChat', fields: ['prompt', 'name', 'model'], required: true },
      errors: ['run_failed'],
    }),
    route({
      method: 'post',
      path: '/projects/:slug/chats/:sessionId/messages',
      operation: 'send_message',
      tag: 'chats',
      status: 202,
      body: { id: 'NewMessage', fields: ['prompt'], required: true },
      errors: ['conflict'],
    }),
    route({
      method: 'post',
      path: '/projects/:slug/chats/:sessionId/fork',
      operation: 'fork_chat',
      tag: 'chats',
      status: 201,
      body: {
        id: 'Fork',
        description: 'Without a prompt, the copy waits for its first message.',
        fields: ['prompt', 'name', 'model'],
        required: false,
      },
    }),
    route({
      method: 'post',
      path: '/projects/:slug/chats/:sessionId/cancel',
      operation: 'cancel_turn',
      tag: 'chats',
      status: 202,
      errors: ['conflict'],
    }),
  ];
}

function archivingRoutes(): Route[] {
  return [
    route({
      method: 'post',
      path: '/projects/:slug/chats/:sessionId/archive',
      operation: 'archive_chat',
      tag: 'chats',
      status: 200,
    }),
    route({
      method: 'post',
      path: '/projects/:slug/chats/:sessionId/unarchive',
      operation: 'unarchive_chat',
      tag: 'chats',
      status: 200,
    }),
  ];
}
