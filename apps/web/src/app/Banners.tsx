import type { JSX } from 'react';
import { AlertBanner } from './AlertBanner.tsx';
import { PauseBanner } from './pausing/PauseBanner.tsx';
import { WatchBanner } from './WatchBanner.tsx';
import { ZoneBanner } from './ZoneBanner.tsx';

/** The warnings that every view shows first. */
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
