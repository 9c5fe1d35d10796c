import { ApiError } from '@svc/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { type RefObject, useState } from 'react';
import { triggerQuery } from '../../data/editor-queries.ts';
import { runNow, writeTrigger } from '../../data/trigger-changes.ts';
import type { EditorState, Opening } from './use-editor.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Why the run after the first save of a trigger did not start. */
    runRefusal?: string;
  }
}

/** Saves the form, and optionally starts a run. `isLeaving` allows the navigation to the next view. */
export function useSave(
  { slug, name: given }: Opening,
  { name, record, condition, written }: EditorState,
  isLeaving: RefObject<boolean>,
) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const initialRefusal = useLocation({ select: ({ state }) => state.runRefusal ?? null });
  const [runRefusal, setRunRefusal] = useState(initialRefusal);
  const write = useMutation({
    mutationFn: () => writeTrigger({ slug, name }, record, condition),
    onMutate: () => setRunRefusal(null),
    onSuccess: (stored) => {
      queries.setQueryData(triggerQuery({ slug, name }).queryKey, stored);
      written(stored);
      void queries.invalidateQueries({ queryKey: ['project', slug, 'triggers', 'list'] });
    },
    onError: (error) => {
      // Fetching the trigger again shows the version of the other user.
      const isOld = error instanceof ApiError && error.code === 'precondition_failed';
      const { queryKey } = triggerQuery({ slug, name });
      if (isOld && given !== null) void queries.invalidateQueries({ queryKey });
    },
  });
  const start = async (): Promise<string | null> => {
    try {
      const params = { slug, runId: await runNow({ slug, name }) };
      isLeaving.current = true;
      await navigate({ to: '/projects/$slug/runs/$runId', params });
      return null;
    } catch (error) {
      const refusal = error instanceof Error ? error.message : String(error);
      setRunRefusal(refusal);
      return refusal;
    }
  };
  const save = async (isRun: boolean): Promise<void> => {
    const isWritten = await write.mutateAsync().then(
      () => true,
      () => false,
    );
    if (!isWritten) return;
    const refusal = isRun ? await start() : null;
    if (given !== null || isLeaving.current) return;
    isLeaving.current = true;
    const params = { slug, name };
    const state = refusal === null ? {} : { runRefusal: refusal };
    await navigate({ to: '/projects/$slug/triggers/$name', params, replace: true, state });
  };
  return { save, isPending: write.isPending, error: write.error, reset: write.reset, runRefusal };
}
