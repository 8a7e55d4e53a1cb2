/** Seals and opens whole operations: the entity's id, its lifecycle and every field. */
import { isObject } from "../../contract/is-object.ts";
import { parseJson } from "../../rules/parse-json.ts";
import { parseEntityId } from "../../rules/sync/entity-id.ts";
import type { Field, ParsedOperation } from "../../rules/sync/operation-text.ts";
import { buildOperation } from "../../rules/sync/operation.ts";
import {
  isSealableName,
  LIFECYCLE_NAME,
  type OperationPart,
} from "../../rules/sync/sealable-name.ts";
import type { AccountKeys, OpenResult, Sealer } from "./former-types.ts";
import type { FormerReason } from "./former-types.ts";
import { createOpaqueNames, createValueKeys } from "./derived-keys.ts";
import { fieldToPlainText, plainTextToField } from "./field-text.ts";
import { createRandomNonces, openValue, sealValue, type CreateNonce } from "./sealed-value.ts";

type Placed = Pick<ParsedOperation, "entityId" | "kind" | "revision">;

/** Only tests give nonces. */
export function createSealer(
  { keyId, dataKey, nameKey, former }: AccountKeys,
  createNonce?: CreateNonce,
): Sealer {
  const names = createOpaqueNames(nameKey);
  const findKey = createValueKeys(new Map([...former, [keyId, dataKey]]));

  function seal(operation: ParsedOperation): string {
    const { kind, revision, payloadFields, metadataFields } = operation;
    for (const { name } of payloadFields) requireSealable("payload", name);
    for (const { name } of metadataFields) requireSealable("metadata", name);
    const entityId = names.sealedId(operation.entityId);
    const lifecycle = kind === "patch" ? [] : [toLifecycleField(operation)];
    const count = payloadFields.length + lifecycle.length + metadataFields.length;
    const nextNonce = createNonce ?? createRandomNonces(count);
    const sealFields = (part: OperationPart, fields: readonly Field[]) => {
      const sealed = fields.map((field) => {
        const name = names.fieldName(entityId, part, field.name);
        const place = { sealedId: entityId, part, name, revision };
        const plainText = fieldToPlainText(field);
        return [name, sealValue(findKey, keyId, place, plainText, nextNonce)] as const;
      });
      return Object.fromEntries(sealed.toSorted(([a], [b]) => (a < b ? -1 : 1)));
    };
    const payload = sealFields("payload", payloadFields);
    const metadata = sealFields("metadata", [...lifecycle, ...metadataFields]);
    return JSON.stringify(buildOperation({ kind, revision, entityId, payload, metadata }));
  }

  function open(operation: ParsedOperation): OpenResult {
    const { entityId: sealedId, kind, payloadFields, metadataFields } = operation;
    if (parseEntityId(sealedId, "sealed") === null)
      return { kind: "unreadable", reason: "not-sealed" };
    const lifecycle = findLifecycle(sealedId, metadataFields);
    const entityId = lifecycle === undefined ? null : openLifecycle(operation, lifecycle);
    // A patch with a lifecycle was another operation before.
    const isBelieved = kind === "patch" ? lifecycle === undefined : entityId !== null;
    if (!isBelieved) return { kind: "unreadable", reason: "lifecycle" };
    const opened = { payload: [] as Field[], metadata: [] as Field[] };
    for (const [part, fields] of [
      ["payload", payloadFields],
      ["metadata", metadataFields.filter((field) => field !== lifecycle)],
    ] as const) {
      for (const { name, json } of fields) {
        const field = openField(operation, part, { name, json });
        if (typeof field === "string") return { kind: "unreadable", reason: field, field: name };
        const isNamed = names.fieldName(sealedId, part, field.name) === name;
        if (!isNamed) return { kind: "unreadable", reason: "damaged", field: name };
        opened[part].push(field);
      }
    }
    const { payload, metadata } = opened;
    return {
      kind: "opened",
      operation: { entityId, payloadFields: payload, metadataFields: metadata },
    };
  }

  function findLifecycle(sealedId: string, metadataFields: readonly Field[]): Field | undefined {
    if (metadataFields.length === 0) return undefined;
    const lifecycleName = names.fieldName(sealedId, "metadata", LIFECYCLE_NAME);
    return metadataFields.find(({ name }) => name === lifecycleName);
  }

  /** The field with the name that its plain text has, or why it does not open. */
  function openField(
    { entityId, revision }: Placed,
    part: OperationPart,
    { name, json }: Field,
  ): Field | FormerReason {
    const result = openValue(findKey, { sealedId: entityId, part, name, revision }, json);
    return result.kind === "opened" ? (plainTextToField(result.text) ?? "damaged") : result.reason;
  }

  /** The entity id, or null when the field does not vouch for what the operation says. */
  function openLifecycle(operation: Placed, sealed: Field): string | null {
    const field = openField(operation, "metadata", sealed);
    if (typeof field === "string" || field.name !== LIFECYCLE_NAME) return null;
    const lifecycle = parseJson(field.json);
    if (!isObject(lifecycle) || !isObject(lifecycle["at"])) return null;
    const { entityId, deleted, at } = lifecycle;
    const { kind, revision } = operation;
    const agrees =
      typeof entityId === "string" &&
      names.sealedId(entityId) === operation.entityId &&
      deleted === (kind === "delete") &&
      at["deviceId"] === revision.deviceId &&
      at["sequence"] === revision.sequence;
    return agrees ? entityId : null;
  }

  return { sealedId: names.sealedId, sealedName: names.fieldName, seal, open };
}

function requireSealable(part: OperationPart, name: string): void {
  if (isSealableName(part, name)) return;
  throw new TypeError(`Cannot seal ${part} "${name}": an app's fields cannot have this name`);
}

function toLifecycleField({ entityId, kind, revision }: Placed): Field {
  const { deviceId, sequence } = revision;
  const at = { deviceId, sequence };
  const json = JSON.stringify({ entityId, deleted: kind === "delete", at });
  return { name: LIFECYCLE_NAME, json };
}
