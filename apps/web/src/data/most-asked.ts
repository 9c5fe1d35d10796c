/** More projects than these are not asked one by one: their answers would keep service and page busy for minutes. */
export const MOST_ASKED = 100;
