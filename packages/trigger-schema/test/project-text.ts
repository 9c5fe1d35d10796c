import fc from 'fast-check';

/** A generated project file, with the positions of its entries. */
export interface Generated {
  readonly text: string;
  readonly flow: boolean;
  readonly entries: readonly {
    readonly name: string;
    readonly start: number;
    readonly end: number;
  }[];
}

const NAMES = ['a', 'constructor', 'a..b', 'two words', '123', 'ünï-cödé', 'toString', 'x:y'];

interface EntryPlan {
  readonly name: string;
  readonly form: 'block' | 'flow' | 'broken' | 'alias' | 'merge';
  readonly prompt: number;
  readonly tools: number;
  readonly order: number;
  readonly comments: boolean;
  readonly unknown: boolean;
  readonly blanks: number;
  readonly above: number;
}

interface FilePlan {
  readonly step: number;
  readonly crlf: boolean;
  readonly bom: boolean;
  readonly finalBreak: boolean;
  readonly marker: boolean;
  readonly flow: boolean;
  readonly tail: boolean;
  readonly entries: readonly EntryPlan[];
}

const entryPlan = (name: string): fc.Arbitrary<EntryPlan> =>
  fc.record({
    name: fc.constant(name),
    form: fc.constantFrom('block', 'block', 'block', 'flow', 'broken', 'alias', 'merge'),
    prompt: fc.nat(9),
    tools: fc.nat(4),
    order: fc.nat(3),
    comments: fc.boolean(),
    unknown: fc.boolean(),
    blanks: fc.nat(2),
    above: fc.nat(2),
  });

const filePlan: fc.Arbitrary<FilePlan> = fc
  .uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 })
  .chain((names) =>
    fc.record({
      step: fc.integer({ min: 1, max: 5 }),
      crlf: fc.boolean(),
      bom: fc.boolean(),
      finalBreak: fc.boolean(),
      marker: fc.boolean(),
      flow: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
      tail: fc.boolean(),
      entries: fc.tuple(...names.map(entryPlan)),
    }),
  );

/** Realistic project files: odd indentation, comments, every style of text, anchors, unknown keys. */
export const projectText: fc.Arbitrary<Generated> = filePlan.map(write);

function write(plan: FilePlan): Generated {
  return plan.flow ? writeFlow(plan) : writeBlock(plan);
}

function writeBlock(plan: FilePlan): Generated {
  const eol = plan.crlf ? '\r\n' : '\n';
  const pad = (level: number): string => ' '.repeat(level * plan.step);
  let text = plan.bom ? '\uFEFF' : '';
  if (plan.marker) text += `--- # start${eol}`;
  text += `# a project${eol}name:   'My  project'\t# with a tab${eol}`;
  text += `x-defaults: &defaults${eol}${pad(1)}trigger: {type: schedule, interval: 6h}${eol}`;
  text += `${pad(1)}run: {prompt: shared, maxTurns: 7}${eol}${pad(1)}enabled: true${eol}`;
  text += `keeper: {model: m,   instructions: "x\\ty"}   ${eol}${eol}triggers:  # all of them${eol}`;
  const entries = plan.entries.map((entry) => {
    if (entry.above === 1) text += `${pad(1)}# about ${entry.name}${eol}`;
    if (entry.above === 2) text += `# far left${eol}`;
    const start = text.length;
    text += entryLines(entry, pad).join(eol) + eol;
    const end = text.length;
    // Blank lines after a text that keeps them would belong to it.
    text += eol.repeat(entry.order === 3 ? 0 : entry.blanks);
    return { name: entry.name, start, end };
  });
  if (plan.tail) {
    text += `# schedules follow${eol}schedules:${eol}${pad(1)}old: {type: cron, cron: "0 1 * * *", prompt: hi}`;
    text += `${eol}summary: >-${eol}${pad(1)}folded${eol}${pad(1)}text${eol}`;
  }
  return plan.finalBreak ? { text, flow: false, entries } : withoutBreak(text, eol, entries);
}

function withoutBreak(text: string, eol: string, entries: Generated['entries']): Generated {
  const cut = text.slice(0, -eol.length);
  const shortened = entries.map((entry) => ({ ...entry, end: Math.min(entry.end, cut.length) }));
  return { text: cut, flow: false, entries: shortened };
}

function key(name: string): string {
  return /^[a-z.-]+$/i.test(name) ? name : JSON.stringify(name);
}

function entryLines(plan: EntryPlan, pad: (level: number) => string): string[] {
  const head = `${pad(1)}${key(plan.name)}:`;
  if (plan.form === 'broken') return [`${head} [not, an,`, `${pad(2)} entry] # broken`];
  if (plan.form === 'alias') return [`${head} *defaults   # shared`];
  if (plan.form === 'flow') return [`${head} ${flowEntry(plan)} # in one line`];
  if (plan.form === 'merge') {
    return [`${head}`, `${pad(2)}<<: *defaults`, `${pad(2)}enabled: false # not yet`];
  }
  const note = plan.comments ? '\t# note' : '';
  const condition = [
    `${pad(2)}trigger:${note}`,
    ...(plan.comments ? [`${pad(3)}# when`] : []),
    `${pad(3)}type: schedule`,
    `${pad(3)}cron: '0  9 * * *'${note}`,
    ...(plan.unknown ? [`${pad(3)}x_since: 2024-01-01`] : []),
  ];
  const run = [
    `${pad(2)}run:`,
    ...promptLines(plan.prompt, pad),
    ...toolLines(plan.tools, pad),
    ...(plan.unknown ? [`${pad(3)}owner: {who: [me, &me you], since: 3}`] : []),
    ...(plan.comments ? [`${pad(3)}# limits`] : []),
    `${pad(3)}maxTurns:   12${note}`,
  ];
  const rest = [
    ...(plan.unknown ? [`${pad(2)}notes: |`, `${pad(3)}kept`, `${pad(4)}as it is`] : []),
    `${pad(2)}enabled: ${plan.order === 1 ? 'True' : 'false'}${note}`,
  ];
  const parts = [condition, run, rest];
  if (plan.order === 2) parts.reverse();
  if (plan.order === 3) parts.push([`${pad(2)}journal: |+`, `${pad(3)}kept`, '']);
  return [`${head}${note}`, ...parts.flat()];
}

function promptLines(style: number, pad: (level: number) => string): string[] {
  const at = `${pad(3)}prompt:`;
  const deep = pad(4);
  const lines: readonly (readonly string[])[] = [
    [`${at} Look at it, then: report`.replace(': r', ' r')],
    [`${at} "quoted \\n and \\t text"`],
    [`${at} 'it''s single'   # mind`],
    [`${at} |`, `${deep}line one`, `${deep}  line two  `, '', `${deep}# no comment`],
    [`${at} |-   # kept`, `${deep}stripped`],
    [`${at} |+`, `${deep}kept`, ''],
    [`${at} >`, `${deep}folded`, `${deep}text`, '', `${deep}more`],
    [`${at} "two`, `${deep}lines"`],
    [`${at}`, `${deep}plain text`, `${deep}over lines`],
    [`${pad(3)}promptFile: daily.md`],
  ];
  return [...(lines[style] ?? [])];
}

function toolLines(style: number, pad: (level: number) => string): string[] {
  const lines: readonly (readonly string[])[] = [
    [],
    [`${pad(3)}tools: [ Read,Grep ]   # few`],
    [`${pad(3)}tools:`, `${pad(3)}- Read # r`, `${pad(3)}# between`, `${pad(3)}- "Bash"`],
    [`${pad(3)}tools:`, `${pad(4)}-   Read`, `${pad(4)}- Glob`, `${pad(4)}- Grep`],
    [`${pad(3)}tools: [`, `${pad(4)}Read, # one`, `${pad(4)}Edit,`, `${pad(4)}]`],
  ];
  return [...(lines[style] ?? [])];
}

function flowEntry(plan: EntryPlan): string {
  const parts = [
    'trigger: {type: schedule , interval: 1h}',
    plan.tools > 2
      ? 'run: {prompt: "do it", tools: [Read], "x": [1, 2],}'
      : "run: { prompt: 'do'  }",
    ...(plan.unknown ? ['more: {deep: {er: ~}}'] : []),
    ...(plan.order === 0 ? [] : ['enabled: true']),
  ];
  return `{${plan.comments ? ' ' : ''}${parts.join(plan.comments ? ' ,' : ', ')}${plan.blanks === 1 ? ',' : ''} }`;
}

function writeFlow(plan: FilePlan): Generated {
  const eol = plan.crlf ? '\r\n' : '\n';
  let text = `${plan.bom ? '\uFEFF' : ''}# all in one${eol}{ name: flow, triggers: {`;
  const entries = plan.entries.map((entry, i) => {
    text += i === 0 ? '' : entry.comments ? ` , # next${eol}  ` : ', ';
    const start = text.length;
    text += `${key(entry.name)}: ${entry.form === 'broken' ? '~' : flowEntry(entry)}`;
    return { name: entry.name, start, end: text.length };
  });
  text += `${plan.tail ? ' ,' : ''}}, "z": [1, 2 ] }${plan.finalBreak ? eol : ''}`;
  return { text, flow: true, entries };
}
