import { isHttpsOrLoopback } from "../../contract/loopback.ts";

/** The service as WebAuthn names it. */
export interface RelyingParty {
  /** A domain name, to which the browser binds passkeys. */
  readonly id: string;
  readonly origin: string;
  readonly name: string;
}

/** Null where browsers have no passkeys: on plain HTTP beyond localhost, and on an IP address. */
export function createRelyingParty(baseUrl: string, name: string): RelyingParty | null {
  const url = new URL(baseUrl);
  const { hostname, origin } = url;
  // The URL parser has written every spelling of an address in one of these two forms.
  const isAddress = hostname.startsWith("[") || /^\d+\.\d+\.\d+\.\d+$/.test(hostname);
  return isHttpsOrLoopback(url) && !isAddress ? { id: hostname, origin, name } : null;
}

export function passkeysAvailable(baseUrl: string): boolean {
  return createRelyingParty(baseUrl, "") !== null;
}
