/** Another transaction was in the way, and everything was rolled back: running again is right. */
export class CollisionError extends Error {}
