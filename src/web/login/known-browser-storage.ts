/** The value by which a service knows this browser, in the storage of the page's origin. */
const KNOWN_BROWSER_KEY = "trellis-known-browser";

/** Null when there is none, or the browser denies the storage. */
export function readKnownBrowser(): string | null {
  try {
    return localStorage.getItem(KNOWN_BROWSER_KEY);
  } catch {
    return null;
  }
}

export function writeKnownBrowser(value: string): void {
  try {
    localStorage.setItem(KNOWN_BROWSER_KEY, value);
  } catch {
    // A browser without the stored value signs in like that of a stranger.
  }
}
