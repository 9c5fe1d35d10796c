// What attributes of spans are called. Those of generative AI are not stable yet, so that no package has them for good: they
// stand here as the OpenTelemetry semantic conventions 1.40 for generative AI spans and agent spans name them
// (https://opentelemetry.io/docs/specs/semconv/gen-ai/). What begins with `svc.` is of this service alone.

export const GEN_AI = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  agent: 'gen_ai.agent.name',
  conversation: 'gen_ai.conversation.id',
  requestModel: 'gen_ai.request.model',
  responseModel: 'gen_ai.response.model',
  tokensIn: 'gen_ai.usage.input_tokens',
  tokensOut: 'gen_ai.usage.output_tokens',
  tool: 'gen_ai.tool.name',
  toolCall: 'gen_ai.tool.call.id',
} as const;

export const SVC = {
  project: 'svc.project',
  trigger: 'svc.trigger',
  cause: 'svc.cause',
  run: 'svc.run_id',
  turn: 'svc.turn_id',
  event: 'svc.event_id',
  by: 'svc.by',
  runtime: 'svc.runtime',
  depth: 'svc.depth',
  scheduledFor: 'svc.scheduled_for',
  late: 'svc.late_ms',
  catchUp: 'svc.catch_up',
  outcome: 'svc.outcome',
  reason: 'svc.reason',
  modelCalls: 'svc.model_calls',
  toolCalls: 'svc.tool_calls',
  toolErrors: 'svc.tool_errors',
  denied: 'svc.denied_calls',
  cost: 'svc.cost_usd',
} as const;
