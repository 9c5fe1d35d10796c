import type { JSX } from 'react';
import { pauseReasonText } from '../model/describe.ts';
import type { OwnPause } from '../model/entries.ts';
import { Ago } from './Time.tsx';

/** The pause of a trigger: "Paused 40 s ago, after 2 failures in a row." */
export function PausedSince({ at, reason }: OwnPause): JSX.Element {
  return (
    <>
      Paused <Ago at={at} />
      {pauseReasonText(reason)}
    </>
  );
}
