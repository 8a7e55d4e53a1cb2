/** Whether the instance key of a service is there, and the one that its store belongs to. */
import type { Database } from "../../database/database.ts";
import type { StoreOwner } from "../../database/store-kind.ts";
import {
  belongsToAnotherKey,
  belongsToRetiredKey,
  listLockedAccounts,
  type KeyLocation,
} from "../../identity/bind-instance-key.ts";
import {
  keyPlaceOf,
  nameKey,
  readKey,
  readKeyOf,
  type KeyPlace,
} from "../../identity/key-place.ts";
import { describeKeys, summarizeKeys } from "../describe-key.ts";
import type { BackedUpStore } from "./diagnose-backups.ts";
import { errorFinding, ok, warning, type Finding } from "./finding.ts";

export async function checkKey(
  service: BackedUpStore,
): Promise<{ readonly key: Finding; readonly isMissing: boolean }> {
  const { name, now } = service;
  const subject = `${name} key`;
  const place = keyPlaceOf(service);
  const described =
    typeof place === "string"
      ? { made: place, kept: `${place} is readable by this user only` }
      : { made: "it", kept: "it is sealed in the database under the host's key" };
  try {
    const ring = await readKeyOf(service);
    if (ring === null) {
      return {
        key: ok(subject, `${described.made} will be created on first use`),
        isMissing: true,
      };
    }
    const keys = describeKeys(summarizeKeys(ring), now);
    return { key: ok(subject, `${described.kept}: ${keys}`), isMissing: false };
  } catch (error) {
    const { message } = error as Error;
    const remedy = "until this is fixed, sign-in is not possible";
    return { key: errorFinding(subject, message, remedy), isMissing: false };
  }
}

/** A store that was moved without its key works until the first sign-in. */
export async function checkPasswords(
  service: BackedUpStore,
  database: Database,
): Promise<Finding[]> {
  const { name } = service;
  const place = keyPlaceOf(service);
  const location = { realm: name, place };
  if ((await readKey(place, database)) === null) return checkMissingKey(name, database, location);
  // A store that no newer version has opened yet remembers no key.
  if (await belongsToAnotherKey(database, location).catch(() => false)) {
    return [
      errorFinding(
        `${name} key`,
        `the store belongs to another key than the ${nameKey(place)}, so \`trellis serve\` does not start`,
        `restore the right key file, or give up the old one with \`trellis ${name} account password --new-instance-key\``,
      ),
    ];
  }
  if (await belongsToRetiredKey(database, location).catch(() => false)) {
    return [
      warning(
        `${name} key`,
        "its rotation was interrupted: the store still belongs to a retired key",
        "start the server, which completes it",
      ),
    ];
  }
  const locked = await listLockedAccounts(database, location);
  return locked.map((username) =>
    errorFinding(
      `${name} key`,
      `the password of "${username}" is encrypted with another key`,
      `restore the right key file, or set a new password with \`trellis ${name} account password\``,
    ),
  );
}

function nameMissing(place: KeyPlace): string {
  return typeof place === "string" ? `the key file ${place}` : `the ${nameKey(place)}`;
}

/** A store without accounts gets a key on first use. */
async function checkMissingKey(
  name: StoreOwner,
  database: Database,
  location: KeyLocation,
): Promise<Finding[]> {
  const isNeeded =
    (await belongsToAnotherKey(database, location).catch(() => false)) ||
    (await listLockedAccounts(database, location)).length > 0;
  if (!isNeeded) return [];
  return [
    errorFinding(
      `${name} key`,
      `${nameMissing(location.place)} is missing, and the store needs it, so \`trellis serve\` does not start`,
      `restore your copy of it; without one, give up the key with \`trellis ${name} account password --new-instance-key\``,
    ),
  ];
}
