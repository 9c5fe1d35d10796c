import { describe, expect, it } from '@jest/globals';
import { createValidator } from '@svc/schema';
import {
  asArguments,
  flatTrigger,
  flatTriggerProperties,
  patchTrigger,
  projectFileSchema,
  TRIGGER_DEFAULTS,
  triggerArguments,
  triggerDefinitionSchema,
  triggerPutSchema,
  validateTrigger,
} from '@svc/trigger-schema';

type Section = 'trigger' | 'run' | 'policy';
type Schemas = Readonly<Record<string, { readonly default?: unknown; readonly enum?: unknown[] }>>;

const SECTIONS: readonly Section[] = ['trigger', 'run', 'policy'];
const BASE = { trigger: { type: 'event', on: 'onArchive' }, run: { prompt: 'Hi' } };
const RICH = {
  trigger: { type: 'schedule', cron: '0 9 * * *', timezone: 'UTC' },
  run: { prompt: 'Hi', session: 'resume', tools: ['Read'], model: 'm', permissionMode: 'plan' },
  enabled: true,
  policy: { catchUp: 'none' },
};

function sound(value: unknown) {
  const result = validateTrigger(value);
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.value;
}
const sentFields = (section: Section): Schemas => triggerPutSchema.properties[section].properties;
const everyField = SECTIONS.flatMap((section) =>
  Object.keys(sentFields(section)).map((name) => [section, name] as const),
);

describe('the definition of a field', () => {
  it.each(everyField)('is validated: %s.%s', (section, name) => {
    const value = { ...BASE, [section]: { ...RICH[section], [name]: {} } };
    const result = validateTrigger(value);
    const paths = result.ok ? [] : result.issues.map(({ path }) => path);
    expect(paths).toContain(`${section}.${name}`);
  });

  it('is in the record, in the request form and in the schema for editors', () => {
    const { run, policy } = triggerDefinitionSchema.properties;
    const editor = JSON.parse(JSON.stringify(projectFileSchema)).properties.triggers;
    for (const [section, schema] of [['run', run] as const, ['policy', policy] as const]) {
      const names = Object.keys(schema.properties);
      expect(Object.keys(sentFields(section))).toEqual(names);
      expect(Object.keys(editor.additionalProperties.properties[section].properties)).toEqual(
        names,
      );
    }
    const forms = triggerDefinitionSchema.properties.trigger.oneOf;
    const known = new Set(forms.flatMap((form) => Object.keys(form.properties)));
    expect(new Set(Object.keys(sentFields('trigger')))).toEqual(known);
  });

  it('has the default of its schemas', () => {
    const documented = (section: Section) =>
      Object.entries(sentFields(section)).flatMap(([name, schema]) =>
        'default' in schema ? [[name, schema.default]] : [],
      );
    expect(Object.fromEntries(documented('run'))).toEqual(TRIGGER_DEFAULTS.run);
    expect(Object.fromEntries(documented('policy'))).toEqual(TRIGGER_DEFAULTS.policy);
    expect(sound(BASE)).toEqual({
      ...BASE,
      run: { prompt: 'Hi', ...TRIGGER_DEFAULTS.run },
      enabled: false,
    });
    expect(JSON.stringify(triggerArguments['max_turns'])).toContain(
      `Default: ${TRIGGER_DEFAULTS.run.maxTurns}.`,
    );
  });

  it('fits its flat schema, with null for fields that do not apply', () => {
    const matches = createValidator({
      type: 'object',
      additionalProperties: false,
      required: Object.keys(flatTriggerProperties),
      properties: flatTriggerProperties as Record<string, { type: 'string' }>,
    });
    for (const value of [BASE, RICH, { trigger: { type: 'webhook' } }]) {
      const flat = flatTrigger(sound(value));
      expect(matches(flat)).toEqual({ ok: true, value: flat });
    }
    expect(flatTrigger(sound(BASE))).toMatchObject({
      type: 'event',
      event: 'onArchive',
      cron: null,
      maxTurns: TRIGGER_DEFAULTS.run.maxTurns,
      maxSpawnDepth: null,
      enabled: false,
    });
  });
});

describe('the arguments of set_trigger', () => {
  it('have the order in which tools return them', () => {
    expect(Object.keys(triggerArguments).join(' ')).toBe(
      'type cron interval timezone event prompt prompt_file session tools model permission_mode max_spawn_depth max_turns network enabled overlap catch_up',
    );
    expect(Object.keys(flatTriggerProperties).join(' ')).toBe(
      'type cron interval event timezone prompt promptFile session tools model permissionMode maxTurns maxSpawnDepth network enabled',
    );
  });

  it.each(Object.keys(triggerArguments))('%s sets a field, whose faults bear its name', (name) => {
    const patched = patchTrigger(null, { [name]: ['tools', 'network'].includes(name) ? [-5] : -5 });
    const result = validateTrigger(patched.ok ? patched.value : patched.issues);
    const reported = result.ok ? [] : asArguments(result.issues);
    expect(reported.some(({ path }) => path === name || path.startsWith(`${name}[`))).toBe(true);
  });

  it.each(['timeout', 'runtime', 'catch_up_window', 'jitter'])('do not have %s', (name) => {
    expect(patchTrigger(RICH, { [name]: '5m' })).toMatchObject({
      issues: [{ path: name, message: 'is not an argument of set_trigger; leave it out.' }],
    });
  });
});
