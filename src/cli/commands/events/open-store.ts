import {
  createAdministration,
  type Administration,
  type ListedAccount,
} from "../../../events/maintenance/administration.ts";
import type { SqlEventsStore } from "../../../events/sql/open-sql-events-store.ts";
import { createAddressGuard } from "../../../events/subscriptions/address-guard.ts";
import { createFeedFetcher } from "../../../events/subscriptions/fetch-feed.ts";
import {
  createSubscriptions,
  type Subscriptions,
} from "../../../events/subscriptions/subscriptions.ts";
import {
  instanceKeyOf,
  type KeyAdoption,
  type Keyed,
} from "../../../identity/bind-instance-key.ts";
import { keyPlaceOf } from "../../../identity/key-place.ts";
import type {
  Configuration,
  EventsConfiguration,
} from "../../../configuration/configuration-schema.ts";
import { EVENTS_STORE } from "../../../events/sql/open-store.ts";
import { openStore } from "../../../database/open-store.ts";
import type { StoreAccess } from "../../../database/store-kind.ts";
import { CommandError, type StoreContext } from "../../command.ts";
import { useStore, type StoreWork } from "../store/use-store.ts";

export interface EventsAdministration extends Administration {
  readonly store: Keyed<SqlEventsStore>;
  readonly configuration: Configuration;
  readonly settings: EventsConfiguration;
  readonly subscriptions: Subscriptions;
  /** Fails the command when there is no account of that name. */
  expectAccount(username: string): Promise<ListedAccount>;
  /** The named account, which must exist, or all accounts. */
  selectAccounts(username: string | undefined): Promise<readonly ListedAccount[]>;
}

export function withEventsStore<T>(
  context: StoreContext,
  access: StoreAccess,
  work: StoreWork<"events", SqlEventsStore, T>,
): Promise<T> {
  return useStore(
    context,
    "events",
    access,
    ({ store }, options) => openStore({ ...options, kind: EVENTS_STORE, store }),
    work,
  );
}

/** Opens the configured store with its instance key. */
export function withEventsAdministration<T>(
  context: StoreContext,
  access: StoreAccess,
  work: (administration: EventsAdministration) => Promise<T>,
  adoption: KeyAdoption = "new-store",
): Promise<T> {
  return useStore(
    context,
    "events",
    access,
    (section, options) => {
      const key = instanceKeyOf(EVENTS_STORE, keyPlaceOf(section), adoption);
      return openStore({ ...options, kind: EVENTS_STORE, store: section.store, key });
    },
    (store, configuration, section) =>
      work(createEventsAdministration(store, configuration, section)),
  );
}

function createEventsAdministration(
  store: Keyed<SqlEventsStore>,
  configuration: Configuration,
  settings: EventsConfiguration,
): EventsAdministration {
  const { instanceKey } = store;
  const { timeZone } = settings;
  const administration = createAdministration({ store, instanceKey, timeZone });
  const guard = createAddressGuard(settings.subscriptions.allowedPrivateHosts);
  const expectAccount = async (username: string) =>
    (await administration.findAccount(username)) ?? failWithoutAccount(username);
  return {
    ...administration,
    store,
    configuration,
    settings,
    subscriptions: createSubscriptions({
      store,
      instanceKey,
      fetchFeed: createFeedFetcher({ guard }),
      defaultTimeZone: timeZone,
      forOperator: true,
    }),
    expectAccount,
    selectAccounts: async (username) =>
      username === undefined ? administration.listAccounts() : [await expectAccount(username)],
  };
}

export function failWithoutAccount(username: string): never {
  throw new CommandError(missingAccount(username));
}

export function missingAccount(username: string): string {
  return `There is no account "${username}": see \`trellis events account list\`, or create it with \`trellis events account create\``;
}
