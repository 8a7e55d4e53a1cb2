/** Opens the entities of a sealed account with its recovery key. */
import { readKeyEntity } from "../../../../client/encryption/read-key-entity.ts";
import { createSealer } from "../../../../client/encryption/sealer.ts";
import type { Sealer } from "../../../../client/encryption/former-types.ts";
import type { FormerReason } from "../../../../client/encryption/former-types.ts";
import { KEY_ENTITY_ID, type OperationKind } from "../../../../contract/sync/operation-limits.ts";
import { parseEntityId } from "../../../../rules/sync/entity-id.ts";
import type { Register, Registers } from "../../../../rules/sync/merge.ts";
import type { ParsedOperation } from "../../../../rules/sync/operation-text.ts";
import { operationIdOf } from "../../../../rules/sync/operation.ts";
import type { OperationPart } from "../../../../rules/sync/sealable-name.ts";
import { fieldsToText } from "../../../../rules/sync/visible-entity.ts";
import { exportedEntityToText } from "../../../../sync/log/export-entities.ts";
import { CommandError } from "../../../command.ts";
import type { FormerSealedFile, FormerEntity } from "./former-sealed-file.ts";

export interface FormerUnreadable {
  /** The app's entity id, or the opaque one where only that is known. */
  readonly entityId: string;
  /** The opaque name of the field; absent when the whole entity does not open. */
  readonly field?: string;
  readonly reason: FormerReason;
}

/** Finds the operations that tell the account's keys. Throws when the file has nothing to open. */
export async function findKeyOperations(
  file: FormerSealedFile,
): Promise<readonly ParsedOperation[]> {
  let isSealed = false;
  for await (const entity of file.entities()) {
    if (entity.entityId === KEY_ENTITY_ID) {
      return (await file.keyOperations()) ?? toKeyOperations(entity);
    }
    isSealed ||= parseEntityId(entity.entityId, "sealed") !== null;
  }
  throw new CommandError(
    isSealed
      ? "The entity that holds the account's keys is missing, so no recovery key opens the file: use another export or backup"
      : "The data is not sealed, so there is nothing to open: an export can be read as it is, and a backup is for `trellis sync restore`",
  );
}

/** An export does not tell which operation was the create; a check is proved by its key, in any operation. */
function toKeyOperations(keyEntity: FormerEntity): readonly ParsedOperation[] {
  return [...keyEntity.payloadFields].map((register) =>
    toOperation(keyEntity, "create", "payload", register),
  );
}

/** Throws when the data key is not that of the account. */
export function createFormerSealer(
  operations: readonly ParsedOperation[],
  dataKey: Uint8Array,
): Sealer {
  const result = readKeyEntity(operations, dataKey);
  switch (result.kind) {
    case "account-key":
      return createSealer(result.keys);
    case "replaced":
      throw new CommandError(
        "This recovery key was replaced by a newer one before the file was written: use the newer one",
      );
    case "other-key":
    case "missing":
      throw new CommandError(
        "This recovery key does not open the file: use the one of this account, or, if it was replaced after the file was written, the previous one",
      );
  }
}

/** Yields the text of each live entity, as in a clear export. */
export async function* openFormerEntities(
  file: FormerSealedFile,
  sealer: Sealer,
  onUnreadable: (unreadable: FormerUnreadable) => void,
): AsyncGenerator<string> {
  for await (const entity of file.entities()) {
    if (entity.entityId === KEY_ENTITY_ID) continue;
    const lifecycle = openLifecycle(sealer, entity);
    if (lifecycle === null) {
      const isSealed = parseEntityId(entity.entityId, "sealed") !== null;
      onUnreadable({ entityId: entity.entityId, reason: isSealed ? "lifecycle" : "not-sealed" });
    } else if (!entity.deleted) {
      const { entityId } = lifecycle;
      const report = (field: string, reason: FormerReason) =>
        onUnreadable({ entityId, field, reason });
      const rest = [...entity.metadataFields].filter(([name]) => name !== lifecycle.field);
      const payload = openFields(sealer, entity, "payload", entity.payloadFields, report);
      const metadata = openFields(sealer, entity, "metadata", new Map(rest), report);
      yield exportedEntityToText(entityId, fieldsToText(payload), fieldsToText(metadata));
    }
  }
}

/** The app's entity id, and the field that vouches for it and for what the state says; null without one. */
function openLifecycle(sealer: Sealer, entity: FormerEntity) {
  const kind = entity.deleted ? "delete" : "create";
  for (const field of entity.metadataFields) {
    const result = sealer.open(toOperation(entity, kind, "metadata", field));
    const entityId = result.kind === "opened" ? result.operation.entityId : null;
    if (entityId !== null) return { entityId, field: field[0] };
  }
  return null;
}

/** Each field is opened by itself: one that does not open leaves the others readable. */
function openFields(
  sealer: Sealer,
  entity: FormerEntity,
  part: OperationPart,
  registers: Registers,
  report: (field: string, reason: FormerReason) => void,
): (readonly [name: string, json: string])[] {
  const fields: [string, string][] = [];
  for (const register of registers) {
    const result = sealer.open(toOperation(entity, "patch", part, register));
    if (result.kind === "unreadable") report(register[0], result.reason);
    else {
      const { payloadFields, metadataFields } = result.operation;
      for (const { name, json } of [...payloadFields, ...metadataFields]) fields.push([name, json]);
    }
  }
  return fields;
}

/** An operation that writes one register. */
function toOperation(
  { entityId }: FormerEntity,
  kind: OperationKind,
  part: OperationPart,
  [name, { json, revision }]: readonly [name: string, register: Register],
): ParsedOperation {
  const fields = [{ name, json }];
  return {
    text: "",
    operationId: operationIdOf(revision),
    entityId,
    kind,
    revision,
    payloadFields: part === "payload" ? fields : [],
    metadataFields: part === "metadata" ? fields : [],
  };
}
