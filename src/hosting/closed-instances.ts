/**
 * What is known of an instance while its store is closed: by its key, which tokens are its own, and by
 * its usage, whether it has an account. What only the store can tell is `unknown`.
 */
import { readFileSync } from "node:fs";
import { belongsToOneOf } from "../identity/bind-instance-key.ts";
import { createInstanceKey, listInstanceKeys, readKeyRing } from "../identity/instance-key.ts";
import { createServerProof, type CreateServerProof } from "../identity/server-proof.ts";
import { createAccessTokens } from "../sync/devices/access-tokens.ts";
import { createRefreshKeys } from "../sync/devices/refresh-keys.ts";
import { SYNC_REALM } from "../sync/store.ts";
import { createFileCache } from "./file-cache.ts";
import { usagePath, parseUsage } from "./instance-usage.ts";
import { isNewInstance, type Instance } from "../configuration/instance.ts";

/** A token of this instance, made up, or one that only the store can judge. */
export type TokenOrigin = "own" | "made-up" | "unknown";

export interface ClosedInstances {
  accessTokenOrigin(instance: Instance, token: string): TokenOrigin;
  /**
   * False says nothing: a device whose refresh token is refused is signed out, so only the store refuses it.
   * An instance folder that was rolled back may have the key and the usage of before a rotation.
   */
  isOwnRefreshToken(instance: Instance, token: string): boolean;
  hasAccount(instance: Instance): boolean | "unknown";
  /** Without a key there is no proof. */
  prove(instance: Instance, challenge: string | null): ReturnType<CreateServerProof>;
}

/** A few kilobytes for each. */
const MAX_KNOWN = 2000;

export function createClosedInstances(createsFolders: boolean): ClosedInstances {
  const readKeys = createFileCache(MAX_KNOWN, openTokenKeys);
  const readUsage = createFileCache(MAX_KNOWN, (path) => parseUsage(readFileSync(path, "utf8")));
  const usageOf = ({ dataDir }: Instance) => readUsage(usagePath(dataDir));

  function originOf(instance: Instance, isOwn: (keys: TokenKeys) => boolean): TokenOrigin {
    const keys = readKeys(instance.sync.instanceKeyFile);
    // Without a key that can be used, opening the instance says what is wrong.
    if (keys === null) return "unknown";
    if (isOwn(keys)) return "own";
    // A wrong key file must not sign devices out: it is believed when the store has known it.
    const keyCheck = usageOf(instance)?.keyCheck ?? null;
    return keyCheck !== null && keys.isOf(keyCheck) ? "made-up" : "unknown";
  }

  return {
    accessTokenOrigin: (instance, token) =>
      originOf(instance, ({ access }) => access.isGenuine(token)),
    isOwnRefreshToken: ({ sync }, token) =>
      (readKeys(sync.instanceKeyFile)?.refresh.read(token) ?? null) !== null,
    prove({ sync }, challenge) {
      const keys = challenge === null ? null : readKeys(sync.instanceKeyFile);
      return keys === null ? {} : createServerProof(keys.key, SYNC_REALM, sync.baseUrl)(challenge);
    },
    hasAccount(instance) {
      const usage = usageOf(instance);
      if (usage === null) return isNewInstance(instance, createsFolders) ? false : "unknown";
      // A server that deletes an account writes so at once. That there is none is sure while none has the
      // store open.
      return usage.hasAccount || (usage.isOpen ? "unknown" : false);
    },
  };
}

type TokenKeys = NonNullable<ReturnType<typeof openTokenKeys>>;

function openTokenKeys(path: string) {
  const ring = readKeyRing(path);
  if (ring === null) return null;
  const key = createInstanceKey(ring);
  const keys = listInstanceKeys(ring);
  let proven: string | null = null;
  return {
    key,
    access: createAccessTokens(key),
    refresh: createRefreshKeys(key),
    /** Whether the store that knows its key by this value has one of these keys. */
    isOf(keyCheck: string): boolean {
      if (proven !== keyCheck && belongsToOneOf(keys, SYNC_REALM, keyCheck)) proven = keyCheck;
      return proven === keyCheck;
    },
  };
}
