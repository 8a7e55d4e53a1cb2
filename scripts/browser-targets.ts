/** The oldest browsers: esbuild bundles for them, and docs/reference/browsers.md names them. */

export interface BrowserTargets {
  readonly chrome: string;
  readonly firefox: string;
  readonly safari: string;
}

/** A long-term release, the last Chrome of Windows 7, and the first Safari with look-behind in patterns. */
export const PAGE_BROWSERS: BrowserTargets = { chrome: "109", firefox: "115", safari: "16.4" };

/** What the sync client needs (`Promise.withResolvers`, `AbortSignal.any`, `Map.groupBy`), and `light-dark()`. */
export const APP_BROWSERS: BrowserTargets = { chrome: "123", firefox: "124", safari: "17.5" };

/** Ed25519 in Web Cryptography. */
export const UPDATE_BROWSERS: BrowserTargets = { chrome: "137", firefox: "129", safari: "17.5" };

export function toEsbuildTarget(browsers: BrowserTargets): string[] {
  return Object.entries(browsers).map(([name, version]) => `${name}${version}`);
}
