/** The steps of the demo, in the order in which a person takes them. */
export const STEPS = ["sync", "offline", "restore", "release"] as const;
export type StepName = (typeof STEPS)[number];
