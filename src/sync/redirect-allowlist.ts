/** The addresses a sign-in may end at. They match as whole strings, or not at all. */
import { isLoopback } from "../contract/loopback.ts";
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
    const fault = findRedirectFault(redirect.uri, allowedSchemes);
    if (fault !== null) throw new Error(`Cannot use the redirect URI "${redirect.uri}": ${fault}`);
    byUri.set(redirect.uri, redirect);
  }
  return { find: (uri) => byUri.get(uri) };
}

/** Schemes that run or read something instead of leading back to an app. */
const FORBIDDEN = new Set([
  "about:",
  "blob:",
  "data:",
  "file:",
  "filesystem:",
  "ftp:",
  "intent:",
  "javascript:",
  "vbscript:",
  "view-source:",
  "ws:",
  "wss:",
]);

/** Why an address may not be one, or null. RFC 8252 7. */
export function findRedirectFault(uri: string, allowedSchemes: readonly string[]): string | null {
  if (!URL.canParse(uri)) return "it is no absolute address";
  const { protocol, username, password, hostname } = new URL(uri);
  if (uri.includes("#")) return "it must have no fragment";
  if (username !== "" || password !== "") return "it must have no user information";
  if (protocol === "https:") return null;
  if (protocol === "http:") {
    return isLoopback(hostname) ? null : "http is only for loopback; use https";
  }
  if (FORBIDDEN.has(protocol)) return `the scheme "${protocol}" is never allowed`;
  const scheme = protocol.slice(0, -1);
  return scheme.includes(".") || allowedSchemes.includes(scheme)
    ? null
    : `a private scheme needs a dot, such as com.example.app, or an entry in allowedSchemes`;
}
