/**
 * What a host says of an instance while its store is closed: by its key, which tokens are its own, and whether it
 * has an account. What only the store can tell is `unknown`.
 */
import type { Instance } from "../configuration/instance.ts";
import { createServerProof, type CreateServerProof } from "../identity/server-proof.ts";
import { SYNC_REALM } from "../sync/store.ts";
import type { KnownInstances, TokenKeys } from "./known-instances.ts";

/** A token of this instance, made up, or one that only the store can judge. */
export type TokenOrigin = "own" | "made-up" | "unknown";

export interface ClosedInstances {
  accessTokenOrigin(instance: Instance, token: string): Promise<TokenOrigin>;
  /**
   * False says nothing: a device whose refresh token is refused is signed out, so only the store refuses it.
   * An instance folder that was rolled back may have the key and the usage of before a rotation.
   */
  isOwnRefreshToken(instance: Instance, token: string): Promise<boolean>;
  hasAccount(instance: Instance): Promise<boolean | "unknown">;
  /** Without a key there is no proof. */
  prove(instance: Instance, challenge: string | null): Promise<ReturnType<CreateServerProof>>;
}

export function createClosedInstances(known: KnownInstances): ClosedInstances {
  /** A key that has made the token may be an old one: what it made is the instance's all the same. */
  function isRecalled(instance: Instance, isOwn: (keys: TokenKeys) => boolean): boolean {
    const keys = known.recall(instance)?.keys ?? null;
    return keys !== null && isOwn(keys);
  }

  return {
    async accessTokenOrigin(instance, token) {
      const isOwn = ({ access }: TokenKeys) => access.isGenuine(token);
      if (isRecalled(instance, isOwn)) return "own";
      const { keys, keyCheck } = await known.read(instance);
      // Without a key that can be used, opening the instance says what is wrong.
      if (keys === null) return "unknown";
      if (isOwn(keys)) return "own";
      // A wrong key must not sign devices out: it is believed when the store has known it.
      return keyCheck !== null && keys.isOf(keyCheck) ? "made-up" : "unknown";
    },
    async isOwnRefreshToken(instance, token) {
      const isOwn = ({ refresh }: TokenKeys) => refresh.read(token) !== null;
      if (isRecalled(instance, isOwn)) return true;
      const { keys } = await known.read(instance);
      return keys !== null && isOwn(keys);
    },
    async prove(instance, challenge) {
      const keys = challenge === null ? null : (await known.read(instance)).keys;
      const { baseUrl } = instance.sync;
      return keys === null ? {} : createServerProof(keys.key, SYNC_REALM, baseUrl)(challenge);
    },
    hasAccount: async (instance) => (await known.read(instance)).hasAccount,
  };
}
