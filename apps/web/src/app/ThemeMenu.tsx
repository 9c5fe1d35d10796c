import { Menu } from '@base-ui/react/menu';
import type { JSX } from 'react';
import controls from '../parts/controls.module.css';
import { Monitor, Moon, Sun } from '../parts/icons.ts';
import { usePopupContainer } from '../parts/popup-container.ts';
import { chooseTheme, type Theme, useTheme } from './theme.ts';

const THEMES = { system: 'System', light: 'Light', dark: 'Dark' } as const;
const ICONS = { system: Monitor, light: Sun, dark: Moon } as const;

/** Selects the light, dark or system theme. */
export function ThemeMenu(): JSX.Element {
  const theme = useTheme();
  const Icon = ICONS[theme];
  return (
    <Menu.Root>
      <Menu.Trigger className={controls['quiet']} aria-label={`Theme: ${THEMES[theme]}`}>
        <Icon size={18} aria-hidden />
      </Menu.Trigger>
      <Menu.Portal container={usePopupContainer()}>
        <Menu.Positioner className={controls['popups']} sideOffset={4}>
          <Menu.Popup className={controls['menu']}>
            <Menu.RadioGroup value={theme} onValueChange={(wanted) => chooseTheme(wanted as Theme)}>
              {(Object.keys(THEMES) as Theme[]).map((each) => (
                <Menu.RadioItem key={each} value={each} className={controls['item']} closeOnClick>
                  {THEMES[each]}
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
