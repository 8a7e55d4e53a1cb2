/**
 * Where the key of a store is: the path of a file, or, of an instance in a PostgreSQL database, beside the
 * instance's rows, sealed under the key of the host. It is plain data, which a thread can get.
 */
import type { Queryable } from "../database/database.ts";
import { useDatabase } from "../database/open-database.ts";
import { splitInstance } from "../database/named-instance.ts";
import { isPostgresAddress } from "../database/postgres-address.ts";
import { expectHostKeyFile, readSealedKey, writeSealedKey } from "./host-key.ts";
import { placeKeyRing, readKeyRing, replaceKeyRing } from "./instance-key.ts";
import type { InstanceKeyRing } from "./key-ring.ts";

export type KeyPlace = string | SealedKeyPlace;

interface SealedKeyPlace {
  readonly instance: string;
  readonly hostKeyFile: string;
}

/** What a configuration says of a store and its key. */
export interface KeySection {
  readonly store: string;
  readonly instanceKeyFile: string;
  readonly hostKeyFile?: string;
}

export function keyPlaceOf({ store, instanceKeyFile, hostKeyFile }: KeySection): KeyPlace {
  const instance = isPostgresAddress(store) ? splitInstance(store).name : null;
  return instance === null || hostKeyFile === undefined
    ? instanceKeyFile
    : { instance, hostKeyFile };
}

/** Fails when what this machine has of the key cannot be used. */
export function expectUsableKey(place: KeyPlace): void {
  if (typeof place === "string") readKeyRing(place);
  else expectHostKeyFile(place.hostKeyFile);
}

/** Null when there is no key. `store` is the database of the store. */
export async function readKey(place: KeyPlace, store: Queryable): Promise<InstanceKeyRing | null> {
  return typeof place === "string" ? readKeyRing(place) : readSealedKey(store, place.hostKeyFile);
}

/** Opens the database of the store where the key is in it. */
export async function readKeyOf(section: KeySection): Promise<InstanceKeyRing | null> {
  const place = keyPlaceOf(section);
  return typeof place === "string"
    ? readKeyRing(place)
    : useDatabase(section.store, {}, (database) => readKey(place, database));
}

/** Places a key unless there is one, and returns what is there then. */
export async function placeKey(
  place: KeyPlace,
  tx: Queryable,
  ring: InstanceKeyRing,
): Promise<InstanceKeyRing> {
  if (typeof place === "string") return placeKeyRing(place, ring);
  const present = await readSealedKey(tx, place.hostKeyFile);
  if (present === null) await writeSealedKey(tx, place.hostKeyFile, ring);
  return present ?? ring;
}

/** Whole or not at all. */
export async function replaceKey(
  place: KeyPlace,
  tx: Queryable,
  ring: InstanceKeyRing,
): Promise<void> {
  if (typeof place === "string") replaceKeyRing(place, ring);
  else await writeSealedKey(tx, place.hostKeyFile, ring);
}

/** How messages name a key that is there. */
export function nameKey(place: KeyPlace): string {
  return typeof place === "string"
    ? `instance key "${place}"`
    : `key of the instance "${place.instance}" in the database`;
}

/** How messages say that there is none. */
export function nameMissingKey(place: KeyPlace): string {
  return typeof place === "string"
    ? `There is no instance key at "${place}"`
    : `The database has no key of the instance "${place.instance}"`;
}
