/** The public address of a service, which decides what its answers promise. */
import { isLoopback } from "../contract/loopback.ts";

/** Throws unless it is https, or http on loopback. */
export function checkBaseUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isUsable =
    url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
  if (!isUsable) throw new Error(`baseUrl must be https, or http on loopback, not "${text}"`);
}
