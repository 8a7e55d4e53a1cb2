import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { KeyFileError } from "../../../identity/instance-key.ts";
import { keyPlaceOf, nameMissingKey, readKey, type KeyPlace } from "../../../identity/key-place.ts";
import { describeKeys, summarizeKeys } from "../../../operate/describe-key.ts";
import { RETIRED_KEY_LIFETIME_MS } from "../../../sync/devices/refresh-keys.ts";
import { defineCommand, type Command, CommandError } from "../../command.ts";
import { explainStoreErrors } from "../../explain-store-errors.ts";
import { formatCount, formatTime } from "../../format.ts";
import { readSection } from "../../read-section.ts";
import type { ManagedService } from "./managed-service.ts";
import { rotateKeyRing, instanceKeyId, type InstanceKeyRing } from "../../../identity/key-ring.ts";
import { changeKeyRing, type KeyUser } from "../../../operate/change-key-ring.ts";
import { confirmPlan, PLAN_OPTIONS } from "../../prompts.ts";
import type { Configuration } from "../../../configuration/configuration-schema.ts";
import { EVENTS_STORE } from "../../../events/sql/open-store.ts";
import type { StoreDescription } from "../../../backup/store-description.ts";
import { SYNC_STORE } from "../../../sync/sql/open-store.ts";

export function defineKeyList(service: ManagedService): Command {
  return defineCommand({
    description:
      "Shows ids and times, never a key: the one in force, and the retired ones with what still needs them.",
    async run(context) {
      const { section } = await readSection(context, service.name);
      const now = Date.now();
      const place = keyPlaceOf(section);
      const list = await service.withDatabase(context, (database) =>
        explainStoreErrors(async () => {
          const ring = await readKey(place, database);
          if (ring === null) throw new KeyFileError(nameMissingKey(place));
          const { retired, ...key } = summarizeKeys(ring);
          const listed = retired.map(async (old) => {
            const retiredAt = Date.parse(old.retiredAt);
            return {
              ...old,
              acceptedUntil: formatTime(retiredAt + RETIRED_KEY_LIFETIME_MS),
              devices: await service.countHolders(database, retiredAt, now),
            };
          });
          return { key, retired: await Promise.all(listed) };
        }),
      );
      context.print(
        `In force  ${describeKeys({ ...list.key, retired: [] }, now)}, ${describePlace(place)}`,
        ...list.retired.map(
          ({ id, retiredAt, devices, acceptedUntil }) =>
            `Retired   ${id}, since ${retiredAt}; ${devices === 0 ? "no device has a token from it" : `${formatCount(devices, "device")} not renewed since, accepted until ${acceptedUntil}`}; it verifies older backups`,
        ),
      );
      context.json({ ...(typeof place === "string" && { file: place }), ...list });
    },
  });
}

export function defineKeyRotate(service: ManagedService): Command {
  const { name, descriptions } = service;
  return defineCommand({
    description: `Creates a new instance key and seals the store with it. ${descriptions.rotate} The old key stays beside it as a retired one, so that backups made with it can still be verified and restored; \`trellis ${name} key drop\` drops it. Refuses to run while a server uses the store. A command that is killed leaves a store that starts, and the next start completes the rotation.`,
    options: PLAN_OPTIONS,
    examples: [`trellis ${name} key rotate --dry-run`, `trellis ${name} key rotate --yes`],
    async run(context) {
      const { configuration, section } = await readSection(context, name);
      const place = keyPlaceOf(section);
      const users = listKeyUsers(service, configuration, place);
      const now = Date.now();
      let services: string[] = [];
      const changed = await explainStoreErrors(() =>
        changeKeyRing(place, users, async (ring, present) => {
          services = present.map((user) => user.service.name);
          let [retiredAt, holders] = [now, 0];
          for (const { service: user, database } of present) {
            retiredAt = Math.max(retiredAt, (await user.readLastIssue(database)) + 1);
            holders += await user.countHolders(database, Number.MAX_SAFE_INTEGER, now);
          }
          const key = summarizeKeys(ring);
          const until = formatTime(retiredAt + RETIRED_KEY_LIFETIME_MS);
          await confirmPlan(context, {
            consequence: `This replaces the instance key ${key.id} of ${services.join(" and ")}`,
            details: [
              holders > 0 &&
                `  ${formatCount(holders, "device stays", "devices stay")} signed in; their tokens from the old key are accepted until ${until}`,
              "  Forms that a browser has open must be loaded again",
              `  The key is ${describePlace(place)}`,
            ],
            plan: { key, services, devices: holders, acceptedUntil: until },
          });
          return rotateKeyRing(ring, now, retiredAt);
        }),
      );
      const key = summarizeKeys(changed);
      const [former] = key.retired;
      context.print(
        `The instance key of ${services.join(" and ")} is now ${describeKeys(key, now)}`,
        `${former?.id} is retired: drop it with \`trellis ${name} key drop ${former?.id}\` when no device or backup needs it any more`,
        typeof place === "string" &&
          `Copy ${place} to where you keep it, and to every other server of the store before it starts`,
      );
      context.json({ key, services });
    },
  });
}

export function defineKeyDrop(service: ManagedService): Command {
  const { name } = service;
  return defineCommand({
    description: `Removes a retired key for good. Tokens from it are refused from then on, so that their devices must sign in again, and backups made with it can no longer be checked. Drop a stolen key at once, any other key when \`trellis ${name} key list\` says that no device needs it. Refuses to run while a server uses the store.`,
    arguments: { id: { description: "The retired key, as `key list` shows it", required: true } },
    options: PLAN_OPTIONS,
    examples: [`trellis ${name} key drop 3f2a9c10b7de`],
    async run(context) {
      const { id } = context.args;
      const { configuration, section } = await readSection(context, name);
      const place = keyPlaceOf(section);
      const now = Date.now();
      const changed = await explainStoreErrors(() =>
        changeKeyRing(
          place,
          listKeyUsers(service, configuration, place),
          async (ring, present): Promise<InstanceKeyRing> => {
            const dropped = expectRetired(ring, id, name);
            let devices = 0;
            for (const { service: user, database } of present) {
              devices += await user.countHolders(database, dropped.retiredAt, now);
            }
            const retiredAt = formatTime(dropped.retiredAt);
            const signedOut = describeSignOut(devices);
            await confirmPlan(context, {
              consequence: `This drops the retired key ${id}: ${signedOut}, and backups from before ${retiredAt} can no longer be checked`,
              plan: { id, retiredAt, devices },
            });
            return { ...ring, retired: ring.retired.filter((old) => old !== dropped) };
          },
        ),
      );
      context.print(`Dropped the key ${id}`);
      context.json({ dropped: id, key: summarizeKeys(changed) });
    },
  });
}

function describeSignOut(devices: number): string {
  return devices === 0
    ? "no device needs it"
    : `${formatCount(devices, "device has", "devices have")} not renewed since and must sign in again`;
}

function expectRetired(ring: InstanceKeyRing, id: string, name: string) {
  if (instanceKeyId(ring.secret) === id) {
    throw new CommandError(
      `The key ${id} is in force: replace it with \`trellis ${name} key rotate\` first`,
    );
  }
  const found = ring.retired.find(({ secret }) => instanceKeyId(secret) === id);
  if (found !== undefined) return found;
  throw new CommandError(
    `There is no retired key "${id}": \`trellis ${name} key list\` shows those that exist`,
  );
}

function describePlace(place: KeyPlace): string {
  return typeof place === "string" ? `in ${place}` : "sealed in the database under the host's key";
}

/** The services of the configuration that have this key, `service` first. */
function listKeyUsers(
  service: StoreDescription,
  configuration: Configuration,
  place: KeyPlace,
): [KeyUser, ...KeyUser[]] {
  const others = [SYNC_STORE, EVENTS_STORE].filter(({ name }) => name !== service.name);
  const file = resolveLinks(place);
  const toUser = (user: StoreDescription): KeyUser[] => {
    const section = configuration[user.name];
    if (section === undefined) return [];
    // A key in the database is that of one instance alone.
    if (user.name !== service.name && resolveLinks(keyPlaceOf(section)) !== file) return [];
    const highWaterPath = join(configuration.dataDir, user.highWaterFile);
    return [{ service: user, store: section.store, highWaterPath }];
  };
  return [...toUser(service), ...others.flatMap(toUser)] as [KeyUser, ...KeyUser[]];
}

/** One service may name the file by a link. */
function resolveLinks(place: KeyPlace): KeyPlace {
  return typeof place === "string" && existsSync(place) ? realpathSync(place) : place;
}
