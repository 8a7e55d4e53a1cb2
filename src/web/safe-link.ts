/** Decides which addresses of a catalogue may be a link, and which a Content-Security-Policy source. */

/** Returns the address in canonical form, or null when it is not https or contains credentials. */
export function httpsHref(address: string): string | null {
  const url = parseUrl(address);
  if (url === null || url.protocol !== "https:") return null;
  return url.username === "" && url.password === "" ? url.href : null;
}

// The URL standard lets a host contain ";" and "'", which would end a directive of the policy.
const POLICY_SAFE_ORIGIN = /^https:\/\/[a-z0-9.-]+(?::\d+)?$/;

/** The origin, or null when a policy cannot contain it. */
export function policySource(address: string): string | null {
  const href = httpsHref(address);
  if (href === null) return null;
  const { origin } = new URL(href);
  return POLICY_SAFE_ORIGIN.test(origin) ? origin : null;
}

/** A configured address without query and fragment. http is allowed for loopback. */
export function siteUrl(name: string, address: string): URL {
  const url = parseUrl(address);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new Error(`${name} must be an absolute http or https address, not "${address}"`);
  }
  url.hash = "";
  url.search = "";
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url;
}

function parseUrl(address: string): URL | null {
  return URL.canParse(address) ? new URL(address) : null;
}
