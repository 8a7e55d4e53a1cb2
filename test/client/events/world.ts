/** An events service and an app of it: a real listener, a real store, a person with a browser. */
import type { TestContext } from "node:test";
import type { EventsClient, Fetch } from "../../../src/client/index.ts";
import type { EventChange } from "../../../src/events/store.ts";
import {
  OLIVE,
  startInstance,
  type EventsInstance,
  type InstanceOptions,
} from "../../events/service/events-instance.ts";
import { signIn } from "../../events/service/journey.ts";
import { addSource, write } from "../../events/store/samples.ts";
import { createClientOf, ORIGIN, REDIRECT_URI } from "./connect.ts";

const CLIENT = { id: "trellis-demo", name: "Trellis demo app", redirectUris: [REDIRECT_URI] };

export interface World {
  readonly instance: EventsInstance;
  readonly client: EventsClient;
  /** Finds the service under its public name. */
  readonly fetch: Fetch;
  /** Runs before each request for events. */
  meanwhile: () => Promise<unknown>;
  write(changes: readonly EventChange[], username?: string): Promise<unknown>;
}

export async function createWorld(t: TestContext, options: InstanceOptions = {}): Promise<World> {
  const instance = await startInstance(t, { baseUrl: ORIGIN, clients: [CLIENT], ...options });
  const server = `http://127.0.0.1:${instance.port}`;
  // The runtime's own, whatever a test makes of the global one later.
  const { fetch } = globalThis;
  const world: World = {
    instance,
    client: createClientOf(server, {
      issuerRequired: true,
      now: () => instance.clock.now,
      fetch: (url, init) => world.fetch(url, init),
    }),
    fetch: async (url, init) => {
      if (url.startsWith(`${ORIGIN}/api/events`)) await world.meanwhile();
      return fetch(url.replace(ORIGIN, server), init);
    },
    meanwhile: () => Promise.resolve(),
    write: async (changes, username = OLIVE.username) => {
      const accountId = instance.accountIds.get(username) ?? "";
      const { sourceId } = await addSource(instance.store, accountId, "school");
      return write(instance.store, [accountId, sourceId], changes, instance.clock.now);
    },
  };
  return world;
}

/** Signs in and allows the app in a browser; returns the callback address. */
export const allow = (world: World, authorizeUrl: string, person = OLIVE) =>
  decide(world, authorizeUrl, "allow", person);

export const deny = (world: World, authorizeUrl: string) =>
  decide(world, authorizeUrl, "deny", OLIVE);

async function decide(world: World, authorizeUrl: string, action: string, person: typeof OLIVE) {
  const browser = world.instance.createBrowser();
  const begun = await browser.get(authorizeUrl.slice(ORIGIN.length));
  const next = await signIn(browser, person, begun.headers.get("location") ?? "");
  const { view } = await browser.see("consent", next);
  const { interaction, csrf } = view;
  const decided = await browser.submit("/consent", { interaction, csrf, action });
  return decided.headers.get("location") ?? "";
}
