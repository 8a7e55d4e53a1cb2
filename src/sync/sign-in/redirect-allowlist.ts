/** The redirect URIs of the configuration, matched as exact strings (RFC 9700 4.1.3). */
import { findRedirectError } from "../../identity/redirect-error.ts";
import type { Delivery } from "../../rules/identity/redirect.ts";
import { isLoopbackAddress } from "./loopback-address.ts";

export interface AllowedRedirect {
  readonly uri: string;
  readonly delivery: Delivery;
}

export type RedirectEntry = string | AllowedRedirect;

/** The allowed redirects by their URIs. */
export type RedirectAllowlist = Pick<ReadonlyMap<string, AllowedRedirect>, "get">;

export function createRedirectAllowlist(
  entries: readonly RedirectEntry[],
  allowedSchemes: readonly string[] = [],
  allowLoopbackApps = false,
): RedirectAllowlist {
  if (entries.length === 0) throw new Error("At least one redirect URI is needed");
  const byUri = new Map<string, AllowedRedirect>();
  for (const entry of entries) {
    const redirect = typeof entry === "string" ? { uri: entry, delivery: "query" as const } : entry;
    const error = findRedirectError(redirect.uri, allowedSchemes);
    if (error !== null) throw new Error(`Cannot use the redirect URI "${redirect.uri}": ${error}`);
    byUri.set(redirect.uri, redirect);
  }
  if (!allowLoopbackApps) return byUri;
  return { get: (uri) => byUri.get(uri) ?? findLoopbackRedirect(uri) };
}

function findLoopbackRedirect(uri: string): AllowedRedirect | undefined {
  const isAllowed = isLoopbackAddress(uri) && findRedirectError(uri, []) === null;
  return isAllowed ? { uri, delivery: "query" } : undefined;
}
