// @ts-check
// Writes docs/settings.md: every setting of svc.config.yaml.
import { writeFileSync } from 'node:fs';
import { SETTING_TABLE } from '@svc/settings';
import { settingsPage } from './settings-page.mjs';

writeFileSync(new URL('../../../docs/settings.md', import.meta.url), settingsPage(SETTING_TABLE));
