// @ts-check
export async function measureHistory(isSmall) {}
