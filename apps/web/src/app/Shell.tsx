import { Dialog } from '@base-ui/react/dialog';
import { Link, Outlet } from '@tanstack/react-router';
import { type JSX, type RefObject, Suspense, useRef, useState } from 'react';
import { useProjects } from '../data/use-projects.ts';
import { worstState } from '../model/project-state.ts';
import { Dot } from '../parts/Badge.tsx';
import { ContainerWidthContext, useMeasuredWidth } from '../parts/container-width.ts';
import controls from '../parts/controls.module.css';
import { Menu, X } from '../parts/icons.ts';
import { lazyComponent } from '../parts/lazy-component.ts';
import { PopupContainer } from '../parts/popup-container.ts';
import { useIsWideWindow } from '../parts/use-is-wide-window.ts';
import { Account } from './Account.tsx';
import { Banners } from './Banners.tsx';
import { Activity } from './header/Activity.tsx';
import { Help } from './header/Help.tsx';
import { LiveHint, LostNotice } from './LiveHint.tsx';
import styles from './Shell.module.css';
import { Sidebar } from './Sidebar.tsx';
import { useGate } from './sign-in-gate.ts';
import { useSignOutElsewhere } from './sign-out.ts';
import { ThemeMenu } from './ThemeMenu.tsx';

const SignInDialog = lazyComponent(
  async () => (await import('../views/sign-in/SignInDialog.tsx')).SignInDialog,
);

/** The frame of every view: header, sidebar, banners and sign-in. */
export function Shell(): JSX.Element {
  const popups = useRef<HTMLDivElement>(null);
  const isWide = useIsWideWindow();
  const room = useMeasuredWidth();
  const gate = useGate();
  useSignOutElsewhere();
  const isIn = gate.kind === 'open' || gate.kind === 'again';
  return (
    <PopupContainer value={popups}>
      <a className={styles['skip']} href="#main">
        Skip to content
      </a>
      <div className={styles['shell']}>
        <header className={styles['header']}>
          {isWide || !isIn ? null : <Drawer place={popups} />}
          <Link to="/" className={styles['brand']} aria-label="svc, overview">
            svc
          </Link>
          {isIn ? <LiveHint /> : null}
          {isIn ? <Activity /> : null}
          <span className={styles['space']} />
          {isIn && isWide ? <Account /> : null}
          {isIn ? <Help hasButton={isWide} /> : null}
          <ThemeMenu />
        </header>
        {isWide && isIn ? (
          <div className={styles['side']}>
            <Sidebar />
          </div>
        ) : null}
        <main id="main" ref={room.watch} className={styles['main']} data-alone={!isIn || undefined}>
          <LostNotice />
          {isIn ? <Banners /> : null}
          {gate.kind === 'leaving' ? null : (
            <ContainerWidthContext value={room}>
              <Outlet />
            </ContainerWidthContext>
          )}
          <div ref={popups} />
          {gate.kind === 'again' ? (
            <Suspense fallback={null}>
              <SignInDialog session={gate.session} />
            </Suspense>
          ) : null}
        </main>
      </div>
    </PopupContainer>
  );
}

function Drawer({ place }: { readonly place: RefObject<HTMLElement | null> }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const { rows } = useProjects();
  const { tone, word } = worstState(rows.map(({ condition }) => condition));
  return (
    <Dialog.Root open={isOpen} onOpenChange={setOpen}>
      <Dialog.Trigger className={controls['quiet']} aria-label={`Projects, ${word}`}>
        <Menu size={20} aria-hidden />
        <Dot tone={tone} name={word} />
      </Dialog.Trigger>
      <Dialog.Portal container={place}>
        <Dialog.Backdrop className={styles['backdrop']} />
        <Dialog.Popup className={styles['drawer']}>
          <div className={styles['top']}>
            <Dialog.Title className={styles['drawerTitle']}>svc</Dialog.Title>
            <Dialog.Close className={controls['quiet']} aria-label="Close">
              <X size={20} aria-hidden />
            </Dialog.Close>
          </div>
          <Sidebar onLeave={() => setOpen(false)} />
          <Account />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
