/** Decides which redirect URIs an operator may configure (RFC 8252 7). */
import { isLoopback } from "../contract/loopback.ts";

/** Schemes that run code or read data instead of opening an app. */
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

/** The characters of RFC 3986: parsers differ in what they do with others. */
const URI_CHARACTERS = /^[A-Za-z0-9._~:/?#[\]@!$&'()*+,;=%-]*$/;

/** A private scheme without a dot must be allowed by name. */
export function findRedirectError(
  uri: string,
  allowedSchemes: readonly string[] | "any",
): string | null {
  if (!URI_CHARACTERS.test(uri))
    return "it has characters that an address cannot have; escape them";
  if (!URL.canParse(uri)) return "it is not an absolute address";
  const { protocol, username, password, hostname } = new URL(uri);
  if (uri.includes("#")) return "it must have no fragment";
  if (username !== "" || password !== "") return "it must have no user information";
  if (protocol === "https:") return null;
  if (protocol === "http:") {
    return isLoopback(hostname) ? null : "http is only for loopback; use https";
  }
  if (FORBIDDEN.has(protocol)) return `the scheme "${protocol}" is never allowed`;
  const scheme = protocol.slice(0, -1);
  return allowedSchemes === "any" || scheme.includes(".") || allowedSchemes.includes(scheme)
    ? null
    : `a private scheme needs a dot, such as com.example.app, or an entry in allowedSchemes`;
}
