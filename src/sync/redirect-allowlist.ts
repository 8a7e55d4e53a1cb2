/** The addresses a sign-in may end at. They match as whole strings, or not at all. */
import { findRedirectError } from "../identity/redirect-error.ts";
import type { Delivery } from "../rules/identity/redirect.ts";

export type RedirectEntry = string | { readonly uri: string; readonly delivery: Delivery };

export interface AllowedRedirect {
  readonly uri: string;
  readonly delivery: Delivery;
}

export interface RedirectAllowlist {
  find(uri: string): AllowedRedirect | undefined;
}

export function createRedirectAllowlist(
  entries: readonly RedirectEntry[],
  allowedSchemes: readonly string[] = [],
): RedirectAllowlist {
  if (entries.length === 0) throw new Error("At least one redirect URI is needed");
  const byUri = new Map<string, AllowedRedirect>();
  for (const entry of entries) {
    const redirect = typeof entry === "string" ? { uri: entry, delivery: "query" as const } : entry;
    const fault = findRedirectError(redirect.uri, allowedSchemes);
    if (fault !== null) throw new Error(`Cannot use the redirect URI "${redirect.uri}": ${fault}`);
    byUri.set(redirect.uri, redirect);
  }
  return { find: (uri) => byUri.get(uri) };
}
