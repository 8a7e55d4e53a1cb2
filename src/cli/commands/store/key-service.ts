/** What the key commands need to know about a service. */
import type { Database } from "../../../database/database.ts";
import type { KeyUser } from "../../../server/change-key-ring.ts";
import type { Configuration } from "../../../server/configuration-schema.ts";
import { KEYED_EVENTS, KEYED_SYNC, type KeyedService } from "../../../server/keyed-services.ts";
import type { StoreContext } from "../../command.ts";

export interface KeyService extends KeyedService {
  /** What stays as it is when the key is rotated. */
  readonly note: string;
  withDatabase<T>(context: StoreContext, work: (database: Database) => Promise<T>): Promise<T>;
}

/** The services of the configuration that have this key file, `service` first. */
export function listKeyUsers(
  service: KeyedService,
  configuration: Configuration,
  path: string,
): [KeyUser, ...KeyUser[]] {
  const others = [KEYED_SYNC, KEYED_EVENTS].filter(({ name }) => name !== service.name);
  const toUser = (user: KeyedService): KeyUser[] => {
    const section = configuration[user.name];
    return section?.instanceKeyFile === path ? [{ service: user, store: section.store }] : [];
  };
  return [...toUser(service), ...others.flatMap(toUser)] as [KeyUser, ...KeyUser[]];
}
