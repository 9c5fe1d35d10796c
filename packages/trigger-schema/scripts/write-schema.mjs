// @ts-check
// Writes the JSON Schema of project.yaml next to the compiled code, for editors.
import { writeFileSync } from 'node:fs';
import { projectFileSchema } from '../dist/index.js';

const file = new URL('../dist/project.schema.json', import.meta.url);
writeFileSync(file, `${JSON.stringify(projectFileSchema, null, 2)}\n`);
