/**
 * Which address a person may connect to: a root https origin on port 443 of a public host. The text
 * as typed and the address that a URL parser makes of it are both checked, because a parser mends,
 * decodes and converts, and what it makes of a text may be quite another place.
 */
import { classifyAddress, isIpv4Mapped } from "../address/classify-address.ts";
import { parseIpAddress, type IpAddress } from "../address/ip-address.ts";

/** The members of `URL` that are looked at. */
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

/** The WHATWG URL parser: null when it cannot make an address of the text. */
export type ParseAddress = (text: string) => ParsedAddress | null;

export type OriginError =
  | "empty"
  | "characters"
  | "not-https"
  | "credentials"
  | "path"
  | "query"
  | "fragment"
  | "port"
  | "not-an-address"
  | "local-name"
  | "private-address"
  | "disguised-host";

export type OriginResult =
  /** `origin` is the one spelling: lower case, no port, no trailing dot, no slash. */
  | { readonly kind: "accepted"; readonly origin: string }
  | { readonly kind: "refused"; readonly reason: OriginError };

/** One sentence for the person who typed it. */
export const ORIGIN_ERRORS: Readonly<Record<OriginError, string>> = {
  empty: "Enter the address of the service",
  characters: "Remove spaces, backslashes and invisible or unusual characters from the address",
  "not-https": "Begin the address with https://",
  credentials: "Remove the user name, the password and the @ from the address",
  path: "Remove everything after the host name, such as /calendar",
  query: "Remove the question mark and what follows it",
  fragment: "Remove the number sign and what follows it",
  port: "Remove the port: the service must be on the usual port 443",
  "not-an-address": "Check the address: it should look like https://planner.example.org",
  "local-name": "Enter a service on the internet, not one of this device or the local network",
  "private-address": "Enter a service on the internet, not an address of a private network",
  "disguised-host": "Write the host plainly, as in https://planner.example.org",
};

export function parseServiceOrigin(text: string, parseAddress: ParseAddress): OriginResult {
  const raw = readRaw(text);
  if (typeof raw === "string") return { kind: "refused", reason: raw };
  const url = parseAddress(text);
  const refusal = url === null ? "not-an-address" : findRefusal(raw.host, url);
  if (url === null || refusal !== null) {
    return { kind: "refused", reason: refusal ?? "not-an-address" };
  }
  return { kind: "accepted", origin: `https://${dropTrailingDot(url.hostname)}` };
}

/** White space, controls, invisible characters, half characters, and what looks like a dot or a slash. */
const UNEXPECTED = /[\s\p{C}\p{Z}\\\u3002\uff0e\uff61\u2024\ufe52\uff0f\u2044\u2215\uff3c]/u;

/** The host as typed, or what is wrong with the text. */
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

function findRefusal(rawHost: string, url: ParsedAddress): OriginError | null {
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
    // An IPv4 address in the clothes of IPv6 has an honest spelling.
    const isPublic = classifyAddress(address) === "public" && !isIpv4Mapped(address);
    return isPublic ? null : "private-address";
  }
  if (host.startsWith("[")) return "not-an-address";
  const labels = host.split(".");
  if (host.length > 253 || labels.includes("")) return "not-an-address";
  const last = labels.at(-1) ?? "";
  // A number at the end makes it an address of four numbers in some other spelling.
  if (/^(?:\d+|0x[0-9a-f]*)$/.test(last)) return "disguised-host";
  // RFC 6761 6.3, RFC 6762 3. A name without a dot is completed by the local network.
  const isLocal = labels.length === 1 || /^(?:localhost|local|localdomain)$/.test(last);
  return isLocal ? "local-name" : null;
}

/** An address of numbers and a plain name must have been typed as such; other scripts may convert. */
function findDisguise(typed: string, host: string): OriginError | null {
  const address = readAddress(host);
  const isSame = address === null ? typed === host : String(readAddress(typed)) === String(address);
  const isConverted = address === null && /[^\x21-\x7e]/.test(typed) && !typed.includes("%");
  return isSame || isConverted ? null : "disguised-host";
}

function readAddress(host: string): IpAddress | null {
  return parseIpAddress(/^\[(.*)\]$/.exec(host)?.[1] ?? host);
}

/** An absolute name and the same without its dot are one host. */
function dropTrailingDot(host: string): string {
  return host.endsWith(".") ? host.slice(0, -1) : host;
}
