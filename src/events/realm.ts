/** Whose accounts these are, where several services share one database. */
export const EVENTS_REALM = "events";
