import type { JSX } from 'react';
import { AlertBanner } from './AlertBanner.tsx';
import { PauseBanner } from './pausing/PauseBanner.tsx';
import { WatchBanner } from './WatchBanner.tsx';
import { ZoneBanner } from './ZoneBanner.tsx';

/** What everybody should know before anything else. */
export function Banners(): JSX.Element {
  return (
    <>
      <PauseBanner />
      <AlertBanner />
      <WatchBanner />
      <ZoneBanner />
    </>
  );
}
