/**
 * The address of a service that a person typed: a root https origin on port 443 of a public host.
 * Both the text and the parsed URL are checked, because a URL parser repairs, decodes and converts,
 * and may turn a text into the address of another host.
 */
import { classifyAddress, isIpv4Mapped } from "../address/classify-address.ts";
import { parseIpAddress, type IpAddress } from "../address/ip-address.ts";
import type { OriginError } from "./origin-errors.ts";

/** The members of the platform's `URL` that are checked. */
export interface ParsedAddress {
  readonly protocol: string;
  readonly username: string;
  readonly password: string;
  readonly hostname: string;
  readonly port: string;
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
}

declare const URL: {
  new (text: string): ParsedAddress;
  canParse(text: string): boolean;
};

/** What judging an address came to: the origin to connect to, or the reason to show beside the field. */
export type OriginResult =
  /** `origin` is normalised: lower case, no port, no trailing dot, no slash. */
  | { readonly kind: "accepted"; readonly origin: string }
  | { readonly kind: "refused"; readonly reason: OriginError };

/**
 * Judges whether the address that a person typed may be that of an events service, before anything is sent
 * to it.
 * @param text - what the person typed
 * @param parseAddress - another parser of addresses, on a platform without `URL`
 * @returns the origin, or the reason to show
 */
export function parseServiceOrigin(text: string, parseAddress = parseUrl): OriginResult {
  const raw = readRaw(text);
  if (typeof raw === "string") return { kind: "refused", reason: raw };
  const url = parseAddress(text);
  if (url === null) return { kind: "refused", reason: "not-an-address" };
  const reason = findOriginError(raw.host, url);
  return reason === null
    ? { kind: "accepted", origin: `https://${dropTrailingDot(url.hostname)}` }
    : { kind: "refused", reason };
}

function parseUrl(text: string): ParsedAddress | null {
  return URL.canParse(text) ? new URL(text) : null;
}

/** White space, controls, invisible characters, lone surrogates, and lookalikes of dot and slash. */
const UNEXPECTED = /[\s\p{C}\p{Z}\\\u3002\uff0e\uff61\u2024\ufe52\uff0f\u2044\u2215\uff3c]/u;

function readRaw(text: string): { readonly host: string } | OriginError {
  if (text === "") return "empty";
  if (UNEXPECTED.test(text)) return "characters";
  const match = /^https:\/\/([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/i.exec(text);
  if (match === null) return "not-https";
  const [, authority = "", path = "", query, fragment] = match;
  if (authority.includes("@")) return "credentials";
  if (path !== "" && path !== "/") return "path";
  if (query !== undefined) return "query";
  if (fragment !== undefined) return "fragment";
  const [, host = "", port] = /^(\[[^\]]*\]|[^:[\]]*)(?::(.*))?$/.exec(authority) ?? [];
  if (port !== undefined && port !== "443") return "port";
  return host === "" ? "not-an-address" : { host };
}

function findOriginError(rawHost: string, url: ParsedAddress): OriginError | null {
  if (url.protocol !== "https:") return "not-https";
  if (url.username !== "" || url.password !== "") return "credentials";
  if (url.pathname !== "/") return "path";
  if (url.search !== "") return "query";
  if (url.hash !== "") return "fragment";
  if (url.port !== "") return "port";
  const typed = dropTrailingDot(rawHost.toLowerCase());
  const host = dropTrailingDot(url.hostname.toLowerCase());
  return findHostError(host) ?? findHostError(typed) ?? findDisguise(typed, host);
}

function findHostError(host: string): OriginError | null {
  const address = readAddress(host);
  if (address !== null) {
    // An IPv4-mapped IPv6 address can be written as IPv4.
    const isPublic = classifyAddress(address) === "public" && !isIpv4Mapped(address);
    return isPublic ? null : "private-address";
  }
  if (host.startsWith("[")) return "not-an-address";
  const labels = host.split(".");
  if (host.length > 253 || labels.includes("")) return "not-an-address";
  const last = labels.at(-1) ?? "";
  // A numeric last label makes URL parsers read the host as an IPv4 address.
  if (/^(?:\d+|0x[0-9a-f]*)$/.test(last)) return "disguised-host";
  // RFC 6761 6.3, RFC 6762 3.
  return /^(?:localhost|local|localdomain)$/.test(last) ? "local-name" : null;
}

/** The parser may convert other scripts to Punycode, but may not change an ASCII host. */
function findDisguise(typed: string, host: string): OriginError | null {
  const address = readAddress(host);
  const isSame = address === null ? typed === host : String(readAddress(typed)) === String(address);
  const isConverted = address === null && /[^\x21-\x7e]/.test(typed) && !typed.includes("%");
  return isSame || isConverted ? null : "disguised-host";
}

function readAddress(host: string): IpAddress | null {
  return parseIpAddress(/^\[(.*)\]$/.exec(host)?.[1] ?? host);
}

function dropTrailingDot(host: string): string {
  return host.endsWith(".") ? host.slice(0, -1) : host;
}
