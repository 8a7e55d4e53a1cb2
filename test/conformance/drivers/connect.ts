import type { Fetch } from "../../../src/client/index.ts";

/** Sends every request to this address in the place of its own host. */
export function connectTo(address: string, fetch: Fetch): Fetch {
  return (url, init) => {
    const { pathname, search } = new URL(url);
    return fetch(address + pathname + search, init);
  };
}
