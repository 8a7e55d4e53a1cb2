/** Opens the entities of a sealed account with its recovery key. */
import { takeOverList } from "../../../../client/encryption/account-key-list.ts";
import { toDataKey } from "../../../../client/encryption/data-key.ts";
import {
  createOperationSealer,
  type OperationSealer,
  type SealError,
} from "../../../../client/encryption/operation-sealer.ts";
import { createEntityMerge, type EntityState } from "../../../../rules/sync/merge.ts";
import { scanOperation, type ParsedOperation } from "../../../../rules/sync/operation-text.ts";
import { validateSealed } from "../../../../rules/sync/validate-operation.ts";
import { fieldsToText, visibleEntity } from "../../../../rules/sync/visible-entity.ts";
import { exportedEntityToText } from "../../../../sync/log/export-entities.ts";
import { CommandError } from "../../../command.ts";
import type { SealedFile, WrittenEntity } from "./read-sealed-file.ts";

export interface UnopenedOperation {
  /** The app's entity id, or the opaque one where only that is known. */
  readonly entityId: string;
  /** Null where the text is no operation. */
  readonly operationId: string | null;
  readonly reason: SealError | "not-sealed";
}

/** Throws when the data key is not that of the account. */
export function createAccountSealer({ keys }: SealedFile, dataKey: Uint8Array): OperationSealer {
  const key = toDataKey(dataKey);
  const all = takeOverList(keys, key);
  if (all !== null) return createOperationSealer(all);
  if (keys.at(-1)?.keyId === key.id) {
    throw new CommandError(
      "The list of the account's keys was damaged or changed, so the file does not open: use another export or backup",
    );
  }
  throw new CommandError(
    keys.some(({ keyId }) => keyId === key.id)
      ? "This recovery key was replaced by a newer one before the file was written: use the newer one"
      : "This recovery key does not open the file: use the one of this account, or, if it was replaced after the file was written, the previous one",
  );
}

/** Yields the text of each live entity, as in a clear export. */
export async function* openEntities(
  file: SealedFile,
  sealer: OperationSealer,
  onUnopened: (unopened: UnopenedOperation) => void,
): AsyncGenerator<string> {
  for await (const entity of file.entities()) {
    const state = openEntity(entity, sealer, onUnopened);
    const visible = state === null ? null : visibleEntity(state);
    if (visible === null || visible.deleted) continue;
    const { entityId, payload, metadata } = visible;
    yield exportedEntityToText(entityId, fieldsToText(payload), fieldsToText(metadata));
  }
}

/** What the operations that open add up to; null when none does. */
function openEntity(
  { entityId: opaqueId, operations }: WrittenEntity,
  sealer: OperationSealer,
  onUnopened: (unopened: UnopenedOperation) => void,
): EntityState | null {
  const results = operations.map((text) => openOperation(opaqueId, text, sealer));
  const opened = results.flatMap(({ operation }) => operation ?? []);
  const [first] = opened;
  const entityId = first?.entityId ?? opaqueId;
  for (const { operationId, reason } of results) {
    if (reason !== null) onUnopened({ entityId, operationId, reason });
  }
  if (first === undefined) return null;
  const merge = createEntityMerge(entityId);
  for (const operation of opened) merge.add(operation);
  return merge.state();
}

interface OpenedOperation {
  readonly operationId: string | null;
  /** With the fields of the app; null when it does not open. */
  readonly operation: ParsedOperation | null;
  readonly reason: UnopenedOperation["reason"] | null;
}

function openOperation(opaqueId: string, text: string, sealer: OperationSealer): OpenedOperation {
  const result = validateSealed(scanOperation(text));
  const envelope = result.kind === "valid" ? result.operation.envelope : undefined;
  if (result.kind !== "valid" || envelope === undefined) {
    return { operationId: null, operation: null, reason: "not-sealed" };
  }
  const { operation } = result;
  const { operationId, kind, revision, payloadFields, metadataFields } = operation;
  const names = (fields: typeof payloadFields) => fields.map(({ name }) => name);
  const [payload, metadata] = [names(payloadFields), names(metadataFields)];
  // An operation that was moved to another entity is sealed for its own.
  const plain = sealer.open({ opaqueId, kind, revision, payload, metadata }, envelope);
  if (typeof plain === "string") return { operationId, operation: null, reason: plain };
  const { entityId, payload: payloadOpened, metadata: metadataOpened } = plain;
  const fields = { payloadFields: payloadOpened, metadataFields: metadataOpened };
  return { operationId, operation: { ...operation, entityId, ...fields }, reason: null };
}
