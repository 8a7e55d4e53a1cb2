/** Operations, valid ones and one for every rule that a single operation can break. */
import {
  MAX_FIELDS,
  MAX_OPERATION_BYTES,
  MAX_SETTING_BYTES,
  MAX_STRING_CHARACTERS,
} from "../../src/contract/sync/operation-limits.ts";
import { RULES_BY_CODE } from "../../src/contract/sync/refused-operations.ts";
import { scanOperation } from "../../src/rules/sync/operation-text.ts";
import { validateOperation } from "../../src/rules/sync/validate-operation.ts";
import {
  createOperation,
  ENTRY_PAYLOAD,
  HABIT_PAYLOAD,
} from "../../test/fixtures/sync-operation.ts";
import {
  BROKEN_BOUNDS,
  BROKEN_PAYLOADS,
  BROKEN_RULES,
  BROKEN_SHAPES,
} from "./broken-operations.ts";
import {
  document,
  entity,
  fields,
  FILL,
  habits,
  nested,
  open,
  payload,
  revised,
  sized,
  tombstone,
  type OperationInput,
} from "./operation-inputs.ts";
import { SEALED_INPUTS } from "./sealed-operations.ts";
import type { VectorSource } from "./vector-file.ts";

export function createOperationVectors(): VectorSource<OperationInput> {
  return {
    name: "sync-operations",
    description:
      "The validation of one operation: docs/protocol/sync.md, Operations. `input.text` is the operation's JSON as it is sent, in which %FILL% stands for `fill.text` repeated `fill.times` times; `profile` is that of the server. `expected` is valid, or invalid with the code that Trellis-Refused names.",
    inputs: {
      ...VALID_INPUTS,
      ...BROKEN_BOUNDS,
      ...BROKEN_SHAPES,
      ...BROKEN_RULES,
      ...SECRET_INPUTS,
      ...BROKEN_PAYLOADS,
      ...SEALED_INPUTS,
    },
    expect({ profile, text, fill }) {
      const filled = text.replaceAll(FILL, fill === undefined ? "" : fill.text.repeat(fill.times));
      const result = validateOperation(scanOperation(filled), profile);
      return result.kind === "valid" ? { kind: "valid" } : { kind: "invalid", code: result.code };
    },
    codes: ["valid", ...Object.keys(RULES_BY_CODE).filter((code) => !LOG_CODES.has(code))],
  };
}

/** Rules that need the log: sync-push. */
const LOG_CODES = new Set(["sequence_jump", "key_unknown"]);

const patched = { kind: "patch", payload: HABIT_PAYLOAD, changedFields: ["name"] } as const;

const VALID_INPUTS: Record<string, OperationInput> = {
  "a habit": habits({}),
  "a habit with every field and one more": entity("habit/water", {
    ...HABIT_PAYLOAD,
    customDays: [1, 7],
    notificationEnabled: true,
    notificationTime: "23:59",
    shade: { deep: [null] },
  }),
  "a habit with an empty list of days": entity("habit/water", {
    ...HABIT_PAYLOAD,
    customDays: [],
  }),
  "an entry": entity("entry/water/2026-01-31", ENTRY_PAYLOAD),
  "a setting": entity("setting/theme", { value: "dark" }),
  "a setting of the greatest size": {
    ...entity("setting/theme", { value: FILL }),
    fill: { text: "x", times: MAX_SETTING_BYTES - 2 },
  },
  "a patch of one field carries the others": habits(createOperation(patched)),
  "a patch of the profile open carries what it changes": open(
    createOperation({ kind: "patch", entityId: "note/1", payload: { text: "Eggs" } }),
  ),
  "a restore": open(
    createOperation({ kind: "restore", entityId: "note/1", payload: { text: "" } }),
  ),
  "a tombstone": open({}, tombstone),
  "a tombstone with metadata": open(
    createOperation({ kind: "delete", entityId: "note/1", metadata: { by: "ada" } }),
  ),
  "metadata of a create": open(
    createOperation({ entityId: "note/1", payload: {}, metadata: { by: null } }),
  ),
  "a type with several parts": document({ entityId: "list-item/7/2" }),
  "a percent-encoded part": document({ entityId: "note/a%2Fb%20%C3%BC" }),
  "the greatest sequence": revised("phone", "9007199254740991"),
  "a number that no double has": {
    ...open({}),
    text: open({}).text.replace('"Milk"', "9007199254740993"),
  },
  "the deepest nesting": nested(0),
  "the longest string": {
    ...payload({ text: FILL }),
    fill: { text: "x", times: MAX_STRING_CHARACTERS },
  },
  "the largest operation": sized(MAX_OPERATION_BYTES),
  "the most fields": payload(fields(MAX_FIELDS)),
};

const SECRET_NAMES = [
  "token",
  "tokens",
  "accesstoken",
  "id.token",
  "api key",
  "accessToken",
  "refresh_token",
  "api-key",
  "apiKey",
  "API_KEY",
  "Password",
  "clientSecret",
  "credentials",
  "tokenCount",
  "passwordHint",
  "secretSanta",
  "clientId",
  "sessionId",
  "tokenizer",
  "keyboard",
  "apiary",
];

/** Names that are refused, and ordinary words beside them. */
const SECRET_INPUTS: Record<string, OperationInput> = {
  ...Object.fromEntries(SECRET_NAMES.map((name) => [`a field ${name}`, payload({ [name]: "x" })])),
  "a secret name deep in the payload": payload({ list: [{ password: "x" }] }),
  "a secret name of metadata": open(
    createOperation({ entityId: "note/1", payload: {}, metadata: { token: "x" } }),
  ),
  "a secret word as a value": payload({ kind: "token" }),
  "a setting whose key names a secret": entity("setting/apiKey", { value: "x" }),
  "the same id in the profile open": document({ entityId: "setting/apiKey" }),
};
