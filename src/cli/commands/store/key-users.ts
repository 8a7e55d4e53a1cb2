import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { KeyUser } from "../../../operate/change-key-ring.ts";
import type { Configuration } from "../../../configuration/configuration-schema.ts";
import { EVENTS_STORE } from "../../../events/sql/open-store.ts";
import type { StoreDescription } from "../../../backup/store-description.ts";
import { SYNC_STORE } from "../../../sync/sql/open-store.ts";

/** The services of the configuration that have this key file, `service` first. */
export function listKeyUsers(
  service: StoreDescription,
  configuration: Configuration,
  path: string,
): [KeyUser, ...KeyUser[]] {
  const others = [SYNC_STORE, EVENTS_STORE].filter(({ name }) => name !== service.name);
  const file = resolveLinks(path);
  const toUser = (user: StoreDescription): KeyUser[] => {
    const section = configuration[user.name];
    if (section === undefined || resolveLinks(section.instanceKeyFile) !== file) return [];
    const highWaterPath = join(configuration.dataDir, user.highWaterFile);
    return [{ service: user, store: section.store, highWaterPath }];
  };
  return [...toUser(service), ...others.flatMap(toUser)] as [KeyUser, ...KeyUser[]];
}

/** One service may name the file by a link. */
function resolveLinks(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}
