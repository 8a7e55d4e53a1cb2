/** Seals and opens whole operations under the data keys of an account. */
import { parseEntityId } from "../../rules/sync/entity-id.ts";
import type { ParsedOperation, SealedEnvelope } from "../../rules/sync/operation-text.ts";
import { ENVELOPE_NAME } from "../../rules/sync/sealed-operation.ts";
import { operationToText } from "../sync/operation-to-text.ts";
import type { DataKey } from "./data-key.ts";
import { openText, sealText } from "./envelope.ts";
import { createOpaqueNaming, type FieldPart } from "./opaque-naming.ts";
import {
  parsePlainOperation,
  plainOperationToText,
  type PlainOperation,
} from "./operation-plain-text.ts";

/** An operation with its opaque id and names, in the order of the names. */
export interface OpaqueOperation extends Pick<ParsedOperation, "kind" | "revision"> {
  readonly opaqueId: string;
  /** The opaque names. */
  readonly payload: readonly string[];
  readonly metadata: readonly string[];
}

export interface NamedOperation extends OpaqueOperation {
  readonly plain: PlainOperation;
}

/** Why an operation does not open; that it was never sealed is found by the rules of the profile. */
export type SealError = "unknown-key" | "damaged";

export type OperationSealer = ReturnType<typeof createOperationSealer>;

/** `dataKeys` are those of the account, the first one first; the last one seals. */
export function createOperationSealer(dataKeys: readonly [DataKey, ...DataKey[]]) {
  const naming = createOpaqueNaming(dataKeys[0]);
  const keysById = new Map(dataKeys.map((key) => [key.id, key]));
  const current = dataKeys.at(-1) ?? dataKeys[0];
  /** The ids that belong together, so that one hash at the first sight of an entity is enough. */
  const entityIds = new Map<string, string>();

  /** Names are not hashed again: only a device that has the key can have written them. */
  function isPlainOf(operation: OpaqueOperation, plain: PlainOperation): boolean {
    return (
      plain.payload.length === operation.payload.length &&
      plain.metadata.length === operation.metadata.length &&
      isIdOf(plain.entityId, operation.opaqueId)
    );
  }

  function toPlain(operation: OpaqueOperation, text: string | null): PlainOperation | "damaged" {
    const plain = text === null ? null : parsePlainOperation(text);
    return plain !== null && isPlainOf(operation, plain) ? plain : "damaged";
  }

  function isIdOf(entityId: string, opaqueId: string): boolean {
    if (entityIds.get(opaqueId) === entityId) return true;
    const isOwn = isAppId(entityId) && naming.entityId(entityId) === opaqueId;
    if (isOwn) entityIds.set(opaqueId, entityId);
    return isOwn;
  }

  /** An operation of the app as the server is to merge it. */
  function toNamed(operation: ParsedOperation): NamedOperation {
    const { kind, revision, entityId } = operation;
    const opaqueId = naming.entityId(entityId);
    entityIds.set(opaqueId, entityId);
    const sorted = (part: FieldPart) =>
      operation[`${part}Fields`]
        .map((field) => [naming.fieldName(opaqueId, part, field.name), field] as const)
        .toSorted(([a], [b]) => (a < b ? -1 : 1));
    const [payload, metadata] = [sorted("payload"), sorted("metadata")];
    const names = (fields: typeof payload) => fields.map(([name]) => name);
    const values = (fields: typeof payload) => fields.map(([, field]) => field);
    return {
      kind,
      revision,
      opaqueId,
      payload: names(payload),
      metadata: names(metadata),
      plain: { entityId, payload: values(payload), metadata: values(metadata) },
    };
  }

  return {
    /** The id of the key that seals. */
    keyId: current.id,
    opaqueIdOf: naming.entityId,
    /** The app's id of an entity of which something was opened or named. */
    entityIdOf: (opaqueId: string) => entityIds.get(opaqueId),
    toNamed,
    /** The text of an operation that waits: its member `sealed` has the plain text until it is sent. */
    draft: (operation: NamedOperation): string =>
      toWireText(operation, plainOperationToText(operation.plain)),
    /** The wire text of an operation whose revision is final. */
    seal(operation: NamedOperation): string {
      const associatedData = toAssociatedText(current.id, operation);
      return toWireText(
        operation,
        sealText(current, associatedData, plainOperationToText(operation.plain)),
      );
    },
    open(operation: OpaqueOperation, { keyId, bytes }: SealedEnvelope): PlainOperation | SealError {
      const key = keysById.get(keyId);
      if (key === undefined) return "unknown-key";
      return toPlain(operation, openText(key, toAssociatedText(keyId, operation), bytes));
    },
    /** Reads the plain text of an operation that waits. */
    openDraft: toPlain,
  };
}

/** What a seal binds: elsewhere, or of another kind or with other fields, it does not open. */
export function toAssociatedText(keyId: string, operation: OpaqueOperation): string {
  const { opaqueId, kind, revision, payload, metadata } = operation;
  const { deviceId, sequence } = revision;
  const head = ["2", keyId, opaqueId, kind, deviceId, String(sequence)];
  return [...head, "", ...payload, "", ...metadata].join("\n");
}

/** An app cannot have the type of what is sealed. */
function isAppId(entityId: string): boolean {
  return !entityId.startsWith("sealed/") && parseEntityId(entityId, "open") !== null;
}

function toWireText(operation: OpaqueOperation, envelope: string): string {
  const { kind, revision, opaqueId, payload, metadata } = operation;
  const empty = (names: readonly string[]) => names.map((name) => [name, '""'] as const);
  const members = [...empty(metadata), [ENVELOPE_NAME, JSON.stringify(envelope)] as const];
  return operationToText(
    {
      kind,
      entityId: opaqueId,
      payload: new Map(empty(payload)),
      metadata: new Map(empty(metadata)),
    },
    revision,
    { metadata: new Map(members.toSorted(([a], [b]) => (a < b ? -1 : 1))) },
  );
}
