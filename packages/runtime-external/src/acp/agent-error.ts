/** The agent did or lacks something that ends the turn. The message is one sentence. */
export class AgentError extends Error {}
