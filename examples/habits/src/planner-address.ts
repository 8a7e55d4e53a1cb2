/**
 * The events client accepts only services on the internet. For a service on this machine the client
 * gets a public name, and this file puts the real address in its place. An app that people install
 * has no `developmentAddress`, and then nothing here changes anything.
 */
import type { Fetch } from "trellis/client";
import type { PlannerService } from "./config.ts";

export interface PlannerAddress {
  readonly fetch: Fetch;
  /** The address of the service's page, as the browser can open it. */
  toBrowser(url: string): string;
  /** The callback as the client expects it. */
  fromBrowser(url: string): string;
}

export function locatePlanner(service: PlannerService, fetch: Fetch): PlannerAddress {
  const { origin, developmentAddress } = service;
  if (developmentAddress === undefined) {
    return { fetch, toBrowser: (url) => url, fromBrowser: (url) => url };
  }
  const locate = (url: string) => url.replace(origin, developmentAddress);
  return {
    fetch: (url, init) => fetch(locate(url), init),
    toBrowser: locate,
    fromBrowser(url) {
      const callback = new URL(url);
      // The service names itself by the address that only this file knows.
      if (callback.searchParams.get("iss") === developmentAddress) {
        callback.searchParams.set("iss", origin);
      }
      return callback.href;
    },
  };
}
