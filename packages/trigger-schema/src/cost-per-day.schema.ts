/** JSON Schema of a daily limit of cost in US dollars. */
export const costPerDaySchema = { type: 'number', exclusiveMinimum: 0, maximum: 100_000 } as const;
