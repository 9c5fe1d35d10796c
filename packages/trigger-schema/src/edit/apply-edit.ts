import { type Checked, invalid, success } from '@svc/core';
import { type Base, entryPath } from '../base.ts';
import { isTooLarge } from '../yaml/file.ts';
import type { MapTree } from '../yaml/tree.ts';
import { keepsOutside } from './keeps-outside.ts';
import { applySplices, lineBreak, type Splice } from './splice.ts';
import { Editor, type EditStyle, spanOf } from './splice-editor.ts';
import { detectStep } from './step.ts';

// Flow maps are changed once per round; an entry has fewer fields than this.
const MAX_ROUNDS = 64;

const TOO_LARGE = 'would make project.yaml larger than 1 MiB; move prompts into separate files';

/** One way to make an edit, and a check of its result. */
export interface Edit {
  readonly name: string;
  /** Plans a round; without splices the edit is complete. */
  plan(editor: Editor, root: MapTree | null): void;
  isRight(before: Base, after: Base): boolean;
}

/** Makes an edit in the first style whose result is right. If no style works, the edit is refused. */
export function makeEdit(base: Base, edit: Edit, styles: readonly EditStyle[]): Checked<Base> {
  let reason: string | null = null;
  for (const style of styles) {
    const outcome = tryEdit(base, edit, style);
    if (outcome.ok) return outcome;
    reason ??= outcome.issues[0]?.message ?? null;
  }
  const path = entryPath(edit.name);
  const message = `${reason ?? whyNot(base, edit.name)}.`;
  return invalid({ path, message });
}

function tryEdit(base: Base, edit: Edit, style: EditStyle): Checked<Base> {
  const { text } = base.file;
  const eol = lineBreak(text);
  const bare = text === '' || text === '\uFEFF';
  // With a final line break every piece of a block ends with one. It is removed again at the end.
  const extra = !bare && !text.endsWith('\n');
  const start = extra ? base.read(text + eol) : success(base);
  if (!start.ok) return invalid();
  const edited = runRounds({ base: start.value, extra }, edit, style);
  if (!edited.ok) return edited;
  const { base: last } = edited.value;
  const result = edited.value.extra ? last.file.text.slice(0, -eol.length) : last.file.text;
  const after = edited.value.extra ? base.read(result) : success(last);
  const isRight =
    after.ok && edit.isRight(base, after.value) && keepsOutside(text, base.root, edit.name, result);
  return isRight ? after : invalid();
}

/** A file being edited; `extra` while it ends with a line break that the author did not write. */
interface Work {
  readonly base: Base;
  readonly extra: boolean;
}

function runRounds(start: Work, edit: Edit, style: EditStyle): Checked<Work> {
  let work = start;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { file, root } = work.base;
    const editor = new Editor(file, detectStep(file.text, root), style);
    edit.plan(editor, root);
    const { blocked, splices } = editor;
    if (blocked !== null) return invalid({ path: '', message: blocked });
    if (splices.length === 0) return success(work);
    const text = applySplices(file.text, splices);
    if (isTooLarge(text)) return invalid({ path: '', message: TOO_LARGE });
    const next = work.base.read(text);
    if (!next.ok) return invalid();
    work = { base: next.value, extra: work.extra && !cutsEnd(file.text, splices) };
  }
  return invalid();
}

/** Whether the last line is removed, so that the final line break will be one that the author wrote. */
function cutsEnd(text: string, splices: readonly Splice[]): boolean {
  const last = splices.filter((splice) => splice.end === text.length);
  return last.length > 0 && last.every((splice) => splice.text === '' && splice.start < splice.end);
}

/** The most likely reason why the edit would change other parts of the file. */
function whyNot(base: Base, name: string): string {
  const byHand = 'edit project.yaml by hand';
  const triggers = base.root?.fields.get('triggers')?.tree;
  const entry = triggers?.kind === 'map' ? triggers.fields.get(name) : undefined;
  const span = entry === undefined ? null : spanOf(base.file.text, entry);
  const used = base.file.aliases.find(
    (use) =>
      span !== null &&
      within(use.anchorOffset, span.start, span.end) &&
      !within(use.offset, span.start, span.end),
  );
  return used === undefined
    ? `cannot be changed without changing other parts of the file; ${byHand}`
    : `holds the anchor &${used.name}, which line ${base.file.position(used.offset).line} refers to; ${byHand}`;
}

function within(offset: number, start: number, end: number): boolean {
  return offset >= start && offset <= end;
}
