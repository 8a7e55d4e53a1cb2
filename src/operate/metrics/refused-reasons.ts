/**
 * Why a request is refused because there are too many.
 * - `in-use`: every place for an open instance is taken, and the request is that of a device.
 * - `places`, `network`, `process`: strangers have no opening left, or no place.
 * - `turns`: too many requests of the instance wait for their turns.
 */
export const REFUSED_REASONS = ["in-use", "places", "network", "process", "turns"] as const;
export type RefusedReason = (typeof REFUSED_REASONS)[number];
