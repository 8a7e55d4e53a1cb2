/**
 * The keys that a device holds. They are in its KeyStore under the device's id, so that a device which is
 * erased, and becomes another one, leaves none behind. Which of them is the account's, its records say.
 */
import { decodeBase64Url, encodeBase64Url } from "../../rules/base64url.ts";
import { parseJson } from "../../rules/parse-json.ts";
import type { DeviceEncryption, FormKeys } from "../sync/encryption.ts";
import type { RecordForm } from "../sync/record-form.ts";
import type { KeysRecord } from "../sync/keys-record.ts";
import type { DataKeys } from "./account-key-list.ts";
import { toDataKey, type DataKey } from "./data-key.ts";

export interface HeldKeys {
  /** Every key that this device had or made, the latest last: none is forgotten, because it may have sealed. */
  readonly keys: readonly DataKey[];
  /** A key that a person entered and no server has confirmed yet. */
  readonly candidate: DataKey | null;
}

export type DeviceKeys = ReturnType<typeof createDeviceKeys>;

const NO_KEYS: HeldKeys = { keys: [], candidate: null };

/** `onChange` is called when this client has changed what the device holds. */
export function createDeviceKeys(encryption: DeviceEncryption, onChange: () => void) {
  const { keyStore } = encryption;
  let name = "";
  let text: string | null = null;
  let held = NO_KEYS;
  let opened: { readonly of: KeysRecord["list"]; readonly all: DataKeys | null } | null = null;
  let form: RecordForm | null = null;

  const findKey = (keyId: string) => held.keys.find(({ id }) => id === keyId) ?? null;

  /** The keys of a list, the first one first; null without the key of its last record. */
  function open(list: KeysRecord["list"]): DataKeys | null {
    const key = findKey(list.at(-1)?.keyId ?? "");
    return key && encryption.takeOverList(list, key);
  }

  /** Those of the device's own list. */
  function account({ list }: KeysRecord): DataKeys | null {
    if (opened === null || !isSameList(opened.of, list)) opened = { of: list, all: open(list) };
    return opened.all;
  }

  function toFormKeys(record: KeysRecord): FormKeys | null {
    const all = account(record);
    if (all === null) return null;
    const listed = new Set(all.map(({ id }) => id));
    const others = held.keys.filter(({ id }) => !listed.has(id));
    const sealer = encryption.createSealer(withOthers(all, others));
    return { sealer, listedIds: new Set(record.list.map(({ keyId }) => keyId)) };
  }

  function hold(next: HeldKeys, nextText: string | null): void {
    held = next;
    text = nextText;
    opened = null;
    form = null;
  }

  async function save(change: Partial<HeldKeys>): Promise<void> {
    const next = { ...held, ...change };
    const nextText = heldKeysToText(next);
    await keyStore.write(name, nextText);
    hold(next, nextText);
    onChange();
  }

  return {
    held: () => held,
    findKey,
    account,
    /** The form of the device's records, null without keys; the same object until the keys are other ones. */
    form(record: KeysRecord): RecordForm | null {
      if (form === null || opened === null || !isSameList(opened.of, record.list)) {
        const formKeys = toFormKeys(record);
        form = formKeys && encryption.createForm(formKeys);
      }
      return form;
    },
    /** Reads what this tab or another one has stored. */
    async load(deviceId: string): Promise<void> {
      const stored = await keyStore.read(deviceId);
      if (deviceId === name && stored === text) return;
      name = deviceId;
      hold(parseHeldKeys(stored), stored);
    },
    /** Keeps the keys, and no candidate any more. */
    async keep(keys: readonly DataKey[]): Promise<void> {
      const known = new Set(held.keys.map(({ id }) => id));
      const added = keys.filter(({ id }) => !known.has(id));
      if (added.length > 0 || held.candidate !== null) {
        await save({ keys: [...held.keys, ...added], candidate: null });
      }
    },
    setCandidate: (candidate: DataKey | null) => save({ candidate }),
    /** Removes the keys from the device; returns the function that puts them back. */
    async remove(): Promise<() => Promise<void>> {
      const removed = held;
      await keyStore.delete(name);
      hold(NO_KEYS, null);
      return () => save(removed);
    },
  };
}

function isSameList(one: KeysRecord["list"], other: KeysRecord["list"]): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** With keys that are only to open, behind the first one and before the last one. */
function withOthers([first, ...rest]: DataKeys, others: readonly DataKey[]): DataKeys {
  const current = rest.pop();
  return current === undefined ? [first, ...others, first] : [first, ...rest, ...others, current];
}

/** The text in the KeyStore; keys are in base64url. */
interface StoredKeys {
  readonly format: typeof FORMAT;
  readonly keys: readonly string[];
  readonly candidate: string | null;
}

/** The first format was that of a layout which was never released. */
const FORMAT = 2;

function heldKeysToText({ keys, candidate }: HeldKeys): string {
  const stored: StoredKeys = {
    format: FORMAT,
    keys: keys.map(({ bytes }) => encodeBase64Url(bytes)),
    candidate: candidate && encodeBase64Url(candidate.bytes),
  };
  return JSON.stringify(stored);
}

/** The client itself wrote the text. Where something else has changed it, the person enters the key again. */
function parseHeldKeys(text: string | null): HeldKeys {
  const stored = parseJson(text ?? "") as StoredKeys | undefined;
  if (stored?.format !== FORMAT) return NO_KEYS;
  const { keys, candidate } = stored;
  return { keys: keys.map(decodeKey), candidate: candidate === null ? null : decodeKey(candidate) };
}

function decodeKey(text: string): DataKey {
  return toDataKey(decodeBase64Url(text) ?? new Uint8Array());
}
