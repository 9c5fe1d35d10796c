/** Something that an agent does or lacks, so that its turn cannot go on; the message is one sentence. */
export class AgentFault extends Error {}
