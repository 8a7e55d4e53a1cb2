/** The value by which the service knows this browser, in the storage of the page's origin. */

const KEY = "trellis-known-browser";

/** Null when there is none, or the browser denies the storage. */
export function readKnownBrowser(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function writeKnownBrowser(value: string): void {
  try {
    localStorage.setItem(KEY, value);
  } catch {
    // Without it, the browser signs in like that of a stranger.
  }
}
