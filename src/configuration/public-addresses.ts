/**
 * The public addresses of the release service lead to each other: `/download` redirects to the selector,
 * and the selector to the API or the website. When one is public, an address of this machine in another
 * sends visitors to their own machine.
 */
import { isLoopback } from "../contract/loopback.ts";
import type { ReleaseConfiguration } from "./configuration-schema.ts";

type Addresses = Pick<ReleaseConfiguration, "baseUrl" | "smartDownload" | "websiteDownloadUrl">;

export interface LocalAddress {
  readonly key: "release.baseUrl" | "release.smartDownload.url" | "release.websiteDownloadUrl";
  readonly url: string;
  /** The key of an address that is public. */
  readonly publicKey: string;
}

/** The addresses of this machine, when the API or the selector is public. */
export function listLocalAddresses(release: Addresses): LocalAddress[] {
  const api = { key: "release.baseUrl", url: release.baseUrl } as const;
  const selector = { key: "release.smartDownload.url", url: release.smartDownload.url } as const;
  const website = { key: "release.websiteDownloadUrl", url: release.websiteDownloadUrl } as const;
  const served = [api, selector].find(({ url }) => !isLocal(url));
  if (served === undefined) return [];
  return [api, selector, website]
    .filter(({ url }) => isLocal(url))
    .map((address) => ({ ...address, publicKey: served.key }));
}

/**
 * Suggests a name below the name of the API, because it belongs to the same person. Null when the
 * API is on this machine, or has no name of its own.
 */
export function suggestSmartDownloadUrl(baseUrl: string): string | null {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  const isNamed = url !== null && /[a-z][^.]*$/.test(url.hostname) && !url.hostname.includes(":");
  return isNamed && !isLocal(baseUrl) ? `${url.protocol}//get.${url.hostname}` : null;
}

function isLocal(url: string): boolean {
  return isLoopback(new URL(url).hostname);
}
