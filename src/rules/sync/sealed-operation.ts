/** What a server that cannot read an operation still checks of it: the profile `sealed`. */
import { SEALED_NAME_PATTERN } from "../../contract/sync/operation-limits.ts";
import type { Operation } from "../../contract/sync/operation.ts";
import { decodeBase64Url } from "../base64url.ts";
import { readSealedId } from "./entity-id.ts";
import { ruleError, type RuleError } from "./operation-error.ts";
import type { Field, ScannedOperation, SealedEnvelope } from "./operation-text.ts";

/** The metadata member that has everything that is sealed. It is no field: it stands in no changed list. */
export const ENVELOPE_NAME = "sealed";

/** Names of fields, and ids of keys. */
const NAME = /* @__PURE__ */ new RegExp(SEALED_NAME_PATTERN);
const ENVELOPE_START = "2.";
/** Where the bytes begin in base64url. */
const BYTES_START = 25;
/** A nonce of 24 bytes and a tag of 16. */
export const SEAL_BYTES = 40;
const EMPTY = '""';

/** Null when the text is no envelope. It is decoded at once: that costs no more than a pattern that it matches. */
export function parseEnvelope(text: string): SealedEnvelope | null {
  const keyId = text.slice(ENVELOPE_START.length, BYTES_START - 1);
  const isStart = text.startsWith(ENVELOPE_START) && text[BYTES_START - 1] === ".";
  if (!isStart || !NAME.test(keyId)) return null;
  const bytes = decodeBase64Url(text.slice(BYTES_START));
  return bytes === null || bytes.length < SEAL_BYTES ? null : { keyId, bytes };
}

/** The envelope of an operation. It is checked as it is written: an escape would be a second spelling of it. */
export function findEnvelope(metadata: readonly Field[]): SealedEnvelope | null {
  const json = metadata.find(({ name }) => name === ENVELOPE_NAME)?.json ?? "";
  return json.startsWith('"') ? parseEnvelope(json.slice(1, -1)) : null;
}

/** The fields that the envelope holds the values of. */
export function withoutEnvelope(metadata: readonly Field[]): readonly Field[] {
  return metadata.filter(({ name }) => name !== ENVELOPE_NAME);
}

/** The operation must have the shape of every profile; `envelope` is what was found of it. */
export function findSealedError(
  { value, payload, metadata }: ScannedOperation,
  envelope: SealedEnvelope | null,
): RuleError | null {
  const { document, changedFields, changedMetadataFields } = value as Operation;
  const entity = readSealedId(document.entityId);
  if (entity.type === "error") return notSealed(`document.entityId must ${entity.expected}`);
  if (envelope === null) {
    return notSealed(`the metadata member ${ENVELOPE_NAME} must be an envelope`);
  }
  const fields = withoutEnvelope(metadata);
  if (!payload.every(isOpaque) || !fields.every(isOpaque)) {
    return notSealed("every other member must have an opaque name and the empty text");
  }
  if (!isSorted(payload) || !isSorted(metadata)) {
    return notSealed("payload and metadata must be sorted by name");
  }
  return isNamesOf(changedFields, payload) && isNamesOf(changedMetadataFields, fields)
    ? null
    : notSealed("the changed lists must name all fields, sorted, and nothing else");
}

function notSealed(expected: string): RuleError {
  return ruleError("not_sealed", `the server takes only encrypted operations: ${expected}`);
}

function isOpaque({ name, json }: Field): boolean {
  return json === EMPTY && NAME.test(name);
}

function isSorted(fields: readonly Field[]): boolean {
  return fields.every(({ name }, index) => index === 0 || (fields[index - 1] as Field).name < name);
}

function isNamesOf(names: readonly string[], fields: readonly Field[]): boolean {
  return names.length === fields.length && fields.every(({ name }, index) => name === names[index]);
}
