import type { KeysRecord } from "../sync/keys-record.ts";
import type { KeyState, SyncClientError } from "../sync/results.ts";
import type { DeviceKeys } from "./device-keys.ts";
import { keyError, keyNeeded } from "./key-error.ts";

const UNKNOWN: KeyState = { kind: "unknown" };
const NO_KEY: KeyState = { kind: "no-key" };
const KEY_ELSEWHERE: KeyState = { kind: "key-elsewhere" };
const READY: KeyState = { kind: "ready" };
const DISAGREES: KeyState = { kind: "replaced", by: null };

/** The same object until it changes. */
export function createKeyStates(keys: DeviceKeys) {
  let replaced: Extract<KeyState, { kind: "replaced" }> = { kind: "replaced", by: null };

  return function toKeyState(record: KeysRecord): KeyState {
    const { found, list, replacement } = record;
    if (keys.account(record) === null) {
      if (found === "unknown") return UNKNOWN;
      // A device that has lost its keys alone knows that there are some.
      return found === "no-key" && list.length === 0 ? NO_KEY : KEY_ELSEWHERE;
    }
    if (found === "ready") return READY;
    if (replacement === null) return DISAGREES;
    if (replaced.by !== replacement) replaced = { kind: "replaced", by: replacement };
    return replaced;
  };
}

/** The error of a device that cannot sync before a person makes or enters a key; null of any other. */
export function findKeyNeed(
  { kind }: KeyState,
  { replacement }: KeysRecord,
): SyncClientError | null {
  if (kind === "ready") return null;
  return kind === "replaced" && replacement === null ? keyError("keys-disagree") : keyNeeded(kind);
}
