import type { JSX } from 'react';
import type { SandboxLack } from '../data/use-sandbox-lack.ts';
import { inertText } from '../model/inert-text.ts';
import { Notice } from './Notice.tsx';

/** Says that agents have no sandbox, why, and how to add one. */
export function SandboxNotice({ lack }: { readonly lack: SandboxLack }): JSX.Element {
  const { reason, intended, required = false } = lack;
  const text = <p>{inertText(reason)}</p>;
  if (required) {
    return (
      <Notice tone="bad" role="status" title="Agents cannot start: a sandbox is required.">
        {text}
      </Notice>
    );
  }
  // The settings either turn sandboxes off or do not limit their network; the reason says which.
  return intended ? (
    <Notice tone="idle" title="Agents are less restricted than by default.">
      {text}
    </Notice>
  ) : (
    <Notice tone="warn" role="status" title="Agents run without a sandbox.">
      {text}
    </Notice>
  );
}
