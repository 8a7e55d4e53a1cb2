/** How the sources name a file or folder that is read when they run. */
export const URL_OF_FILE = /new URL\("(\.[^"]+)", import\.meta\.url\)/g;
