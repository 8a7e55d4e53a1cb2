/** The Content-Security-Policy of every kind of response: the API's, a page's, a static site's. */

export const API_CONTENT_SECURITY_POLICY =
  "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";

export interface PageSources {
  /** The page's forms may also lead to this origin or scheme. */
  readonly formTarget?: string;
  /** The origins of the frames that the page shows. */
  readonly frames?: readonly string[];
}

/** Sync contract, Authentication 9. The page's icon is an image that is part of the page. */
export function pageContentSecurityPolicy(nonce: string, sources: PageSources = {}): string {
  const { formTarget = "", frames = [] } = sources;
  const formAction = `'self' ${formTarget}`.trimEnd();
  const frameSources = frames.length === 0 ? "" : `frame-src ${frames.join(" ")}; `;
  return `default-src 'none'; connect-src 'self'; ${frameSources}form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src data:`;
}

export interface StaticPageSources {
  /** The SHA-256 of the style, in padded Base64. */
  readonly styleHash: string;
  readonly scriptHash: string;
  /** Where images may come from, besides the site itself. */
  readonly imageSources: readonly string[];
}

/** The policy of a page on a static host, which cannot send a fresh nonce. */
export function staticPageContentSecurityPolicy(sources: StaticPageSources): string {
  const { styleHash, scriptHash, imageSources } = sources;
  const images = ["'self'", ...imageSources].join(" ");
  return `default-src 'none'; style-src 'sha256-${styleHash}'; script-src 'sha256-${scriptHash}'; img-src ${images}; base-uri 'none'; form-action 'none'`;
}
