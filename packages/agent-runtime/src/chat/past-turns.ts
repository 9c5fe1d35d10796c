import type { Message } from '@svc/records';
import {
  type AssistantMessage,
  type CallIds,
  type ChatMessage,
  chatCall,
  toolMessage,
} from './chat-message.ts';

const UNANSWERED = 'The call ended before it returned a result.';

/**
 * Converts the transcript of a chat for a model: one list per turn, each starting with its prompt. Every call has
 * exactly one result. Notices and messages of child turns are left out.
 */
export function pastTurns(messages: readonly Message[], ids: CallIds): ChatMessage[][] {
  const answers = new Map(
    messages.flatMap((message) =>
      message.kind === 'tool_result' && message.tool !== null
        ? [[message.tool.callId, message] as const]
        : [],
    ),
  );
  const turns: ChatMessage[][] = [];
  let child: string | null = null;
  for (const message of messages) {
    if (message.role === 'user') {
      turns.push([{ role: 'user', content: message.text }]);
      child = null;
      continue;
    }
    if (message.kind === 'tool_result' && message.tool?.callId === child) child = null;
    const turn = turns.at(-1);
    if (turn === undefined || child !== null || message.role !== 'assistant') continue;
    if (message.tool === null) addText(turn, message.text);
    else {
      addCall(turn, message.tool, answers.get(message.tool.callId), ids);
      if (message.tool.name === 'Task') child = message.tool.callId;
    }
  }
  return turns;
}

function addText(turn: ChatMessage[], text: string): void {
  const said = openWords(turn);
  if (said === null) turn.push({ role: 'assistant', content: text });
  else turn[turn.length - 1] = { ...said, content: `${said.content}\n\n${text}` };
}

function addCall(
  turn: ChatMessage[],
  tool: NonNullable<Message['tool']>,
  answer: Message | undefined,
  ids: CallIds,
): void {
  const id = ids();
  const said = openWords(turn);
  if (said !== null) turn.pop();
  turn.push({
    role: 'assistant',
    content: said?.content ?? null,
    tool_calls: [chatCall(id, tool.name, tool.input)],
  });
  turn.push(toolMessage(id, answer?.text ?? UNANSWERED, answer?.tool?.isError !== false));
}

// Text that is not yet followed by a call.
function openWords(turn: readonly ChatMessage[]): AssistantMessage | null {
  const last = turn.at(-1);
  return last?.role === 'assistant' && last.tool_calls === undefined ? last : null;
}
