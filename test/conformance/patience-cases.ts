/** The cases in which a right client waits for 15 seconds: `events-patience.test.ts` runs them. */
export const PATIENCE_CASES = ["silent-service-is-given-up", "dripping-service-is-given-up"];
