/**
 * What is known of an instance while its store is closed: of a file by the files in the instance's folder, of rows
 * in a PostgreSQL database by a look at them.
 */
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { createBoundedCache } from "../contract/bounded-cache.ts";
import { useDatabase } from "../database/open-database.ts";
import { belongsToOneOf, readKeyCheck } from "../identity/bind-instance-key.ts";
import { createInstanceKey, listInstanceKeys, readKeyRing } from "../identity/instance-key.ts";
import { keyPlaceOf, readKey } from "../identity/key-place.ts";
import type { InstanceKeyRing } from "../identity/key-ring.ts";
import { hasSqlAccount } from "../identity/sql-identity-records.ts";
import { createAccessTokens } from "../sync/devices/access-tokens.ts";
import { createRefreshKeys } from "../sync/devices/refresh-keys.ts";
import { SYNC_REALM } from "../sync/store.ts";
import { isNewInstance, type Instance } from "../configuration/instance.ts";
import { createFileCache } from "./file-cache.ts";
import { parseUsage, usagePath } from "./instance-usage.ts";

export interface KnownInstance {
  /** Null without a key that can be used. */
  readonly keys: TokenKeys | null;
  /** By this value the store knows its key; null while nothing tells it. */
  readonly keyCheck: string | null;
  readonly hasAccount: boolean | "unknown";
}

export interface KnownInstances {
  /** What was read last, however long ago. */
  recall(instance: Instance): KnownInstance | null;
  /** What is so now, or was a moment ago. */
  read(instance: Instance): KnownInstance | Promise<KnownInstance>;
}

/** A few kilobytes for each. */
const MAX_KNOWN = 2000;

export function createFolderKnowledge(createsFolders: boolean): KnownInstances {
  const readKeys = createFileCache(MAX_KNOWN, (path) => openTokenKeys(readKeyRing(path)));
  const readUsage = createFileCache(MAX_KNOWN, (path) => parseUsage(readFileSync(path, "utf8")));

  function hasAccount(instance: Instance): boolean | "unknown" {
    const usage = readUsage(usagePath(instance.dataDir));
    if (usage === null) return isNewInstance(instance, createsFolders) ? false : "unknown";
    // A server that deletes an account writes so at once. That there is none is sure while none has the
    // store open.
    return usage.hasAccount || (usage.isOpen ? "unknown" : false);
  }

  const read = (instance: Instance): KnownInstance => ({
    keys: readKeys(instance.sync.instanceKeyFile),
    keyCheck: readUsage(usagePath(instance.dataDir))?.keyCheck ?? null,
    hasAccount: hasAccount(instance),
  });
  return { recall: read, read };
}

/** Requests of strangers cost no more than one look at their instance in this time. */
const FRESH_MS = 1000;
const UNKNOWN: KnownInstance = { keys: null, keyCheck: null, hasAccount: "unknown" };

interface Look {
  readonly at: number;
  readonly found: Promise<KnownInstance>;
  last: KnownInstance | null;
}

export function createDatabaseKnowledge(now: () => number): KnownInstances {
  const looks = createBoundedCache<string, Look>(MAX_KNOWN);
  return {
    recall: ({ name }) => looks.get(name)?.last ?? null,
    read(instance) {
      const before = looks.get(instance.name);
      if (before !== undefined && now() - before.at < FRESH_MS) return before.found;
      const look: Look = {
        at: now(),
        found: lookAt(instance, before?.last ?? null),
        last: before?.last ?? null,
      };
      looks.set(instance.name, look);
      void look.found.then((found) => {
        look.last = found;
      });
      return look.found;
    },
  };
}

/** A database that is away knows nothing: the opening of the instance says what is wrong. */
function lookAt({ sync }: Instance, before: KnownInstance | null): Promise<KnownInstance> {
  const place = keyPlaceOf(sync);
  return useDatabase(sync.store, {}, async (database) => {
    const ring = await readKey(place, database);
    return {
      // Deriving the keys costs more than reading them.
      keys: before?.keys?.isFrom(ring) === true ? before.keys : openTokenKeys(ring),
      keyCheck: await readKeyCheck(database, SYNC_REALM),
      hasAccount: await hasSqlAccount(database, SYNC_REALM),
    };
  }).catch(() => UNKNOWN);
}

export type TokenKeys = NonNullable<ReturnType<typeof openTokenKeys>>;

function openTokenKeys(ring: InstanceKeyRing | null) {
  if (ring === null) return null;
  const key = createInstanceKey(ring);
  const keys = listInstanceKeys(ring);
  let proven: string | null = null;
  return {
    key,
    access: createAccessTokens(key),
    refresh: createRefreshKeys(key),
    isFrom: (other: InstanceKeyRing | null) => isDeepStrictEqual(ring, other),
    /** Whether the store that knows its key by this value has one of these keys. */
    isOf(keyCheck: string): boolean {
      if (proven !== keyCheck && belongsToOneOf(keys, SYNC_REALM, keyCheck)) proven = keyCheck;
      return proven === keyCheck;
    },
  };
}
