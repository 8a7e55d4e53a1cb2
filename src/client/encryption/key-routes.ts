/** The routes of the list of keys. */
import { isObject } from "../../contract/is-object.ts";
import {
  ACCOUNT_KEY_ID_PATTERN,
  MAX_ACCOUNT_KEYS,
  WRITE_SECRET_PATTERN,
} from "../../contract/sync/account-keys.ts";
import type { AccountKey } from "../../contract/sync/schemas.ts";
import { parseEnvelope } from "../../rules/sync/sealed-operation.ts";
import { syncError } from "../sync/errors.ts";
import type { PullContext } from "../sync/pull.ts";
import { failure, type RequestFailure } from "../sync/request.ts";
import type { DataKey } from "./data-key.ts";
import { toKeyProof } from "./key-proof.ts";

const PATH = "/v1/keys";
const KEY_ID = /* @__PURE__ */ new RegExp(ACCOUNT_KEY_ID_PATTERN);
const WRITE = /* @__PURE__ */ new RegExp(WRITE_SECRET_PATTERN);

export interface ShownList {
  readonly kind: "list";
  readonly list: readonly AccountKey[];
}

export async function fetchKeys({
  tokens,
  signal,
}: PullContext): Promise<ShownList | RequestFailure> {
  const response = await tokens.request({ path: PATH, signal });
  if (response.kind === "failed") return response;
  const { keys } = response.value;
  const isList = Array.isArray(keys) && keys.length <= MAX_ACCOUNT_KEYS && keys.every(isRecord);
  return isList ? { kind: "list", list: keys } : failure(syncError("not-a-sync-server"));
}

/** `taken`: another record came first. */
export async function appendKey(
  { tokens, signal }: PullContext,
  record: AccountKey,
  before: DataKey | null,
): Promise<{ readonly kind: "stored" | "taken" } | RequestFailure> {
  const response = await tokens.request({
    path: PATH,
    method: "POST",
    body: JSON.stringify(record),
    ...(before !== null && { keyProof: toKeyProof(before) }),
    signal,
  });
  // A record that was replaced since counts as taken, too.
  if (response.kind === "ok") {
    return { kind: response.value["keyId"] === record.keyId ? "stored" : "taken" };
  }
  const { code } = response;
  return code === "key_replaced" || code === "key_unknown" ? { kind: "taken" } : response;
}

function isRecord(value: unknown): value is AccountKey {
  if (!isObject(value)) return false;
  const { keyId, write, keys, from = null } = value;
  return (
    isText(keyId, KEY_ID) &&
    isText(write, WRITE) &&
    isEnvelope(keys) &&
    (from === null || isEnvelope(from))
  );
}

function isEnvelope(value: unknown): boolean {
  return typeof value === "string" && parseEnvelope(value) !== null;
}

function isText(value: unknown, pattern: RegExp): boolean {
  return typeof value === "string" && pattern.test(value);
}
