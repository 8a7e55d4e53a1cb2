/**
 * The keys that a device holds. They are in its KeyStore under the device's id, so that a device which is
 * erased, and becomes another one, leaves none behind.
 */
import { decodeBase64Url, encodeBase64Url } from "../../rules/base64url.ts";
import { parseJson } from "../../rules/parse-json.ts";
import type { AccountKeys, Sealer, DeviceEncryption } from "../sync/encryption.ts";
import type { SyncClientError } from "../sync/results.ts";
import { isSameValue } from "../sync/same-value.ts";
import { keyNeeded } from "./key-error.ts";

export interface HeldKeys {
  /** The account's keys, once checked. Whatever a server shows, only an authentic `next` leads away from them. */
  readonly account: AccountKeys | null;
  /** Whether one has: the keys still open what is stored, and nothing is sent or taken in. */
  readonly isReplaced: boolean;
  /** A key that no key entity has confirmed yet. */
  readonly candidate: CandidateKey | null;
}

export interface CandidateKey {
  readonly dataKey: Uint8Array;
  /** Whether this device made the key; otherwise a person entered it. */
  readonly isMade: boolean;
}

export type DeviceKeys = ReturnType<typeof createDeviceKeys>;

const NO_KEYS: HeldKeys = { account: null, isReplaced: false, candidate: null };

/** `onChange` is called when this client has changed what the device holds. */
export function createDeviceKeys(encryption: DeviceEncryption, onChange: () => void) {
  const { keyStore, keyIdOf } = encryption;
  let name = "";
  let held = NO_KEYS;
  let sealer: Sealer | null = null;

  function hold(next: HeldKeys): void {
    const { account } = next;
    if (!isSameValue(toStoredAccount(account), toStoredAccount(held.account))) {
      sealer = account === null ? null : encryption.createSealer(account);
    }
    held = next;
  }

  async function save(change: Partial<HeldKeys>): Promise<void> {
    const next = { ...held, ...change };
    await keyStore.write(name, heldKeysToText(next));
    hold(next);
    onChange();
  }

  return {
    held: () => held,
    /** Null before a key was checked. */
    sealer: () => sealer,
    /** The error of a device that cannot sync before a person makes or enters a key; null of any other. */
    findNeed: (): SyncClientError | null =>
      (held.account === null || held.isReplaced) && held.candidate === null
        ? keyNeeded(held.isReplaced)
        : null,
    /** Reads what this tab or another one has stored. */
    async load(deviceId: string): Promise<void> {
      name = deviceId;
      hold(parseHeldKeys(await keyStore.read(name), keyIdOf) ?? NO_KEYS);
    },
    save,
    /** Takes the account's keys over; returns whether the account lacks a former key that this device holds. */
    async adopt(found: AccountKeys): Promise<boolean> {
      const own = held.account;
      const former = new Map(found.former);
      if (own !== null) {
        for (const [keyId, key] of [...own.former, [own.keyId, own.dataKey] as const]) {
          if (keyId !== found.keyId) former.set(keyId, key);
        }
      }
      await save({ account: { ...found, former }, isReplaced: false, candidate: null });
      return former.size > found.former.size;
    },
    /** Removes the keys from the device; returns the function that puts them back. */
    async remove(): Promise<() => Promise<void>> {
      const removed = held;
      await keyStore.delete(name);
      hold(NO_KEYS);
      return () => save(removed);
    },
  };
}

/** The text in the KeyStore; keys are in base64url. */
interface StoredKeys {
  readonly format: typeof FORMAT;
  /** The data key, the name key, then the former data keys. */
  readonly account: readonly string[] | null;
  readonly isReplaced: boolean;
  readonly candidate: { readonly dataKey: string; readonly isMade: boolean } | null;
}

const FORMAT = 1;

function toStoredAccount(account: AccountKeys | null): readonly string[] | null {
  return (
    account && [account.dataKey, account.nameKey, ...account.former.values()].map(encodeBase64Url)
  );
}

function heldKeysToText({ account, isReplaced, candidate }: HeldKeys): string {
  const stored: StoredKeys = {
    format: FORMAT,
    account: toStoredAccount(account),
    isReplaced,
    candidate: candidate && { ...candidate, dataKey: encodeBase64Url(candidate.dataKey) },
  };
  return JSON.stringify(stored);
}

/** The client itself wrote the text. Where something else has changed it, the person enters the key again. */
function parseHeldKeys(text: string | null, keyIdOf: DeviceEncryption["keyIdOf"]): HeldKeys | null {
  const stored = parseJson(text ?? "") as StoredKeys | undefined;
  if (stored?.format !== FORMAT) return null;
  const { account, isReplaced, candidate } = stored;
  const [dataKey, nameKey, ...former] = account?.map(decodeKey) ?? [];
  return {
    account:
      dataKey && nameKey
        ? {
            keyId: keyIdOf(dataKey),
            dataKey,
            nameKey,
            former: new Map(former.map((key) => [keyIdOf(key), key])),
          }
        : null,
    isReplaced,
    candidate: candidate && { ...candidate, dataKey: decodeKey(candidate.dataKey) },
  };
}

function decodeKey(text: string): Uint8Array {
  return decodeBase64Url(text) ?? new Uint8Array();
}
