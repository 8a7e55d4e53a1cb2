import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { KeyUser } from "../../../server/change-key-ring.ts";
import type { Configuration } from "../../../server/configuration-schema.ts";
import { STORED_EVENTS } from "../../../server/stored-events.ts";
import type { StoredService } from "../../../server/stored-service.ts";
import { STORED_SYNC } from "../../../server/stored-sync.ts";

/** The services of the configuration that have this key file, `service` first. */
export function listKeyUsers(
  service: StoredService,
  configuration: Configuration,
  path: string,
): [KeyUser, ...KeyUser[]] {
  const others = [STORED_SYNC, STORED_EVENTS].filter(({ name }) => name !== service.name);
  const file = resolveLinks(path);
  const toUser = (user: StoredService): KeyUser[] => {
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
