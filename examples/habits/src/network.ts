/**
 * The network of the app. A page that shows the app in a frame may cut it, to show what happens then:
 * requests fail as they do without a connection, and open streams end.
 */
import type { Fetch } from "trellis/client";

export interface Network {
  readonly fetch: Fetch;
  setOnline(isOnline: boolean): void;
}

export function createNetwork(): Network {
  let connection = new AbortController();
  return {
    fetch(url, init) {
      const signals = [connection.signal, ...(init.signal ? [init.signal] : [])];
      return fetch(url, { ...init, signal: AbortSignal.any(signals) });
    },
    setOnline(isOnline) {
      if (isOnline !== connection.signal.aborted) return;
      if (isOnline) connection = new AbortController();
      // The error of a browser without a connection.
      else connection.abort(new TypeError("The network is cut"));
      // As a browser does; the sync client listens to the first one.
      dispatchEvent(new Event(isOnline ? "online" : "offline"));
    },
  };
}
