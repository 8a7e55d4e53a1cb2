/** The values of the owner's page. */

/** Of a browser on the owner's page: it is opened for a look, and shows everything there is. */
export const OWNER_IDLE_SECONDS = 3600;
export const OWNER_ABSOLUTE_SECONDS = 12 * 3600;
export const MAX_OWNER_BODY_BYTES = 16 * 1024;
/** Of the name that the owner gives a device. */
export const MAX_DEVICE_NAME_CHARACTERS = 60;
