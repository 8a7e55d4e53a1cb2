import { isIP } from "node:net";
import { isLoopback } from "../contract/loopback.ts";

/**
 * A page of another site can point its own name at a listener that only this machine or network reaches
 * (DNS rebinding), and its browser then sends that name. An IP address is no name, and a program may send
 * no host. `names` are lower case.
 */
export function isKnownHost(
  header: string | null,
  names: ReadonlySet<string> = new Set(),
): boolean {
  if (header === null) return true;
  const host = header.toLowerCase().replace(/:\d*$/, "");
  return isLoopback(host) || names.has(host) || isIP(host.replace(/^\[|\]$/g, "")) !== 0;
}
