/** What every events command needs: the store of the configuration, and what works on it. */
import {
  createAdministration,
  type Administration,
  type ListedAccount,
} from "../../../events/administration.ts";
import type { SqlEventsStore } from "../../../events/sql/open-sql-events-store.ts";
import { createAddressGuard } from "../../../events/subscriptions/address-guard.ts";
import { createFeedFetcher } from "../../../events/subscriptions/fetch-feed.ts";
import {
  createSubscriptions,
  type Subscriptions,
} from "../../../events/subscriptions/subscriptions.ts";
import { openInstanceKey } from "../../../identity/instance-key.ts";
import { createNodePrimitives } from "../../../identity/node-primitives.ts";
import type { Configuration } from "../../../server/configuration.ts";
import type { EventsConfiguration } from "../../../server/configuration-schema.ts";
import { openEventsStore } from "../../../server/open-events-store.ts";
import { CommandError, type CommandContext } from "../../command.ts";
import { explainingStoreFailures } from "../../explain-store-failure.ts";
import { readSection } from "../../read-section.ts";

export interface EventsAdministration {
  readonly store: SqlEventsStore;
  readonly configuration: Configuration;
  readonly events: EventsConfiguration;
  readonly administration: Administration;
  readonly subscriptions: Subscriptions;
  /** Fails the command when there is none of that name. */
  expectAccount(username: string): Promise<ListedAccount>;
}

/** Beside a running server. */
export async function withEventsAdministration<T>(
  context: Pick<CommandContext, "configuration">,
  work: (desk: EventsAdministration) => Promise<T>,
): Promise<T> {
  const { configuration, section: events } = await readSection(context, "events");
  return explainingStoreFailures(async () => {
    const store = await openEventsStore(events.store);
    try {
      return await work(createEventsAdministration(store, configuration, events));
    } finally {
      await store.close();
    }
  });
}

function createEventsAdministration(
  store: SqlEventsStore,
  configuration: Configuration,
  events: EventsConfiguration,
): EventsAdministration {
  const { randomBytes } = createNodePrimitives();
  const instanceKey = openInstanceKey(events.instanceKeyFile, randomBytes);
  const { timeZone } = events;
  const administration = createAdministration({ store, instanceKey, timeZone });
  const guard = createAddressGuard(events.subscriptions.allowedPrivateHosts);
  return {
    store,
    configuration,
    events,
    administration,
    subscriptions: createSubscriptions({
      store,
      instanceKey,
      randomBytes,
      fetchFeed: createFeedFetcher({ guard }),
      defaultTimeZone: timeZone,
    }),
    expectAccount: async (username) =>
      (await administration.findAccount(username)) ?? failWithoutAccount(username),
  };
}

export function failWithoutAccount(username: string): never {
  throw new CommandError(
    `There is no account "${username}": see \`trellis events account list\`, or make it with \`trellis events account create\``,
  );
}
