/** An hour without use signs a browser out: the page is opened for a look, and shows everything there is. */
export const OWNER_IDLE_SECONDS = 3600;
export const OWNER_ABSOLUTE_SECONDS = 12 * 3600;
export const MAX_OWNER_BODY_BYTES = 16 * 1024;
/** The parts of the owner's page, each at an address of its own. */
export const OWNER_TABS = ["devices", "sign-in", "data", "history"] as const;

export type OwnerTab = (typeof OWNER_TABS)[number];
