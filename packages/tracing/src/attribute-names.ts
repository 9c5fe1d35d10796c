// Attribute names. The conventions for generative AI are not stable, so the semantic-conventions package does not export them
// from its stable entry point. These are from version 1.40: https://opentelemetry.io/docs/specs/semconv/gen-ai/. Names that
// start with `svc.` are specific to this service.

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
  sandbox: 'svc.sandbox',
  reached: 'svc.connections_reached',
  refused: 'svc.connections_refused',
  cost: 'svc.cost_usd',
} as const;
