import { isLoopback } from "../../contract/loopback.ts";

/** Whether the text is the address or the origin of a web server on this machine, on any port. */
export function isLoopbackAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && isLoopback(url.hostname);
}
