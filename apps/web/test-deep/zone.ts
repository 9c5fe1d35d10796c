const HOURS = new Intl.DateTimeFormat('en-GB', { hour: 'numeric', timeZone: 'Europe/Berlin' });
const hour = Number(HOURS.format(new Date()));

/** The zone of service and browser: one where it is not about 03:00, the time at which the samples fire. */
export const ZONE: string = hour >= 2 && hour < 5 ? 'America/Toronto' : 'Europe/Berlin';
