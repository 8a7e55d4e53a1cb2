import { isLoopback } from "../contract/loopback.ts";
import type { RawRequest } from "./request.ts";

/**
 * Whether a browser opened the page at another host than that of `origin`. Only for words and notices:
 * the header is any client's to choose. A proxy may replace the host by that of its upstream, and then
 * the host at which the page was opened is unknown.
 */
export function isOpenedElsewhere(request: Pick<RawRequest, "header">, origin: string): boolean {
  const forwarded = request.header("x-forwarded-host");
  const host = (forwarded ?? request.header("host"))?.toLowerCase();
  if (host === undefined || host === new URL(origin).host) return false;
  const isProxied = request.header("x-forwarded-for") !== null;
  return forwarded !== null || !isProxied || !isLoopback(host.replace(/:\d+$/, ""));
}
