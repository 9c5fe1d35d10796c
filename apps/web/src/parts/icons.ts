import {
  Check,
  Ellipsis,
  House,
  Keyboard,
  Loader,
  Mail,
  Menu,
  Minus,
  Monitor,
  Moon,
  Plus,
  Settings,
  Sun,
  TriangleAlert,
  X,
} from 'lucide-react';
import type { Tone } from '../model/outcomes.ts';

export { Ellipsis, House, Keyboard, Mail, Menu, Monitor, Moon, Plus, Settings, Sun, X };

/** The icon of a tone: color alone never carries a state. */
export const TONE_ICONS = {
  ok: Check,
  run: Loader,
  warn: TriangleAlert,
  bad: X,
  idle: Minus,
} satisfies Record<Tone, typeof Check>;
