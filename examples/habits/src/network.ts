/**
 * The network of the app. A page that shows the app in a frame may cut it, to show what happens then:
 * requests fail as they do without a connection, and open streams end.
 */
import type { Fetch } from "trellis/client";

export interface Network {
  readonly fetch: Fetch;
  setOnline(isOnline: boolean): void;
}

/** Returns the response for the app: once it was read, it cannot be read again. */
export type ResponseReader = (url: string, response: Response) => Promise<Response>;

export function createNetwork(readResponse?: ResponseReader): Network {
  let cut: AbortController | null = null;
  let connected = new AbortController();
  return {
    async fetch(url, init) {
      if (cut !== null) throw new TypeError("The network is cut");
      const signal = init.signal ?? null;
      const signals = signal === null ? [connected.signal] : [connected.signal, signal];
      const response = await fetch(url, { ...init, signal: AbortSignal.any(signals) });
      return readResponse?.(url, response) ?? response;
    },
    setOnline(isOnline) {
      if (isOnline === (cut === null)) return;
      if (isOnline) {
        cut = null;
        connected = new AbortController();
      } else {
        cut = connected;
        cut.abort(new TypeError("The network is cut"));
      }
      // As a browser does; the sync client listens to the first one.
      dispatchEvent(new Event(isOnline ? "online" : "offline"));
    },
  };
}
