/** The form of the records of a device that has the account's keys. What waits is unsealed until it is sent. */
import type { EntityState, Register, Registers } from "../../rules/sync/merge.ts";
import { operationIdOf } from "../../rules/sync/operation.ts";
import { isLastStep } from "../../rules/sync/log-clock.ts";
import type { Field, ParsedOperation, SealedEnvelope } from "../../rules/sync/operation-text.ts";
import { scanOperation } from "../../rules/sync/operation-text.ts";
import { parseEnvelope } from "../../rules/sync/sealed-operation.ts";
import { validateSealed } from "../../rules/sync/validate-operation.ts";
import type { Revision } from "../../contract/sync/operation.ts";
import type { FormKeys } from "../sync/encryption.ts";
import { isUnreadable, mergeStored, type StoredOperations } from "../sync/entity-record.ts";
import type { RecordForm, UnreadableReason } from "../sync/record-form.ts";
import type { FieldPart } from "./opaque-naming.ts";
import type { NamedOperation } from "./operation-sealer.ts";
import type { PlainOperation } from "./operation-plain-text.ts";
import { sealBatch, type BatchSealer } from "./seal-batch.ts";
import { readSealedMember } from "./sealed-member.ts";

type Opened = PlainOperation | UnreadableReason;

export function createSealedForm({ sealer, listedIds }: FormKeys): RecordForm {
  /** An operation is opened once, when it comes; then it is merged and shown. */
  const results = new WeakMap<ParsedOperation, Opened>();
  /** By id: those that cannot be read stay, and are parsed again with the record at every change. */
  const unreadable = new Map<
    string,
    { readonly text: string; readonly reason: UnreadableReason }
  >();

  function keep(operation: ParsedOperation, opened: Opened): Opened {
    const { operationId, text } = operation;
    results.set(operation, opened);
    if (typeof opened === "string") unreadable.set(operationId, { text, reason: opened });
    return opened;
  }

  function findUnreadable({ operationId, text }: ParsedOperation): UnreadableReason | undefined {
    const known = unreadable.get(operationId);
    return known?.text === text ? known.reason : undefined;
  }

  function openEnvelope(operation: ParsedOperation, envelope: SealedEnvelope | null): Opened {
    if (envelope === null) return "not-sealed";
    // Behind the last step no device could count on; none that has the key goes there.
    if (isLastStep(operation.revision.sequence)) return "damaged";
    return sealer.open(toOpaque(operation), envelope);
  }

  /** Opens what a server says, by the rules of the profile: only an envelope is believed. */
  function openPulled(operation: ParsedOperation): Opened {
    return (
      results.get(operation) ??
      findUnreadable(operation) ??
      keep(operation, openEnvelope(operation, checkedEnvelope(operation)))
    );
  }

  /** Opens what this device has stored as its own, or as opened before. */
  function openStored(operation: ParsedOperation): Opened {
    // A server may show what waits, by chance or because it guesses: there it cannot be read, here it can.
    const known = results.get(operation);
    if (known !== undefined) return known;
    const member = operation.envelope ?? readSealedMember(operation.text);
    return keep(
      operation,
      typeof member === "string" && isDraft(member)
        ? sealer.openDraft(toOpaque(operation), member)
        : openEnvelope(operation, typeof member === "string" ? parseEnvelope(member) : member),
    );
  }

  function toOperation(named: NamedOperation, text: string): ParsedOperation {
    const { kind, revision, opaqueId: entityId, payload, metadata, plain } = named;
    const operation = {
      text,
      operationId: operationIdOf(revision),
      entityId,
      kind,
      revision,
      payloadFields: payload.map(toEmpty),
      metadataFields: metadata.map(toEmpty),
    };
    keep(operation, plain);
    return operation;
  }

  function toNamedOperation(operation: ParsedOperation, revision: Revision): NamedOperation | null {
    const plain = openStored(operation);
    return typeof plain === "string" ? null : { ...toOpaque(operation), revision, plain };
  }

  function merge(stored: StoredOperations): EntityState | null {
    /** A register has the very revision object of its operation. */
    const owners = new Map<Revision, Record<FieldPart, readonly NamedField[]>>();
    let entityId = "";
    const opened = stored.flatMap((one) => {
      const plain = isUnreadable(one) ? "damaged" : openStored(one.operation);
      if (typeof plain === "string") return [];
      const payload = toNamedFields(one.operation.payloadFields, plain.payload);
      const metadata = toNamedFields(one.operation.metadataFields, plain.metadata);
      owners.set(one.operation.revision, { payload, metadata });
      ({ entityId } = plain);
      const operation = { ...one.operation, payloadFields: payload, metadataFields: metadata };
      return [{ ...one, operation }];
    });
    const state = mergeStored(opened);
    if (state === null) return null;
    const named = (part: FieldPart): Registers => {
      const registers = new Map<string, Register>();
      for (const [opaque, register] of state[`${part}Fields`]) {
        const fields = owners.get(register.revision)?.[part] ?? [];
        const own = fields.find(({ name }) => name === opaque);
        if (own !== undefined) registers.set(own.ownName, register);
      }
      return registers;
    };
    return {
      ...state,
      entityId,
      payloadFields: named("payload"),
      metadataFields: named("metadata"),
    };
  }

  const isDue = (operation: ParsedOperation) => {
    const { keyId } = parseEnvelope(readSealedMember(operation.text)) ?? {};
    return keyId === undefined || !listedIds.has(keyId);
  };

  const batchSealer: BatchSealer = {
    keyId: sealer.keyId,
    isDue,
    isSealed: ({ text }) => !isDraft(readSealedMember(text)),
    seal(operation) {
      const named = toNamedOperation(operation, operation.revision);
      if (named === null) throw new Error("Cannot seal: the keys of this device do not open it");
      return toOperation(named, sealer.seal(named));
    },
  };

  return {
    kind: "sealed",
    recordIdOf: sealer.opaqueIdOf,
    entityIdOf: sealer.entityIdOf,
    merge,
    isReadable: (operation) => typeof openPulled(operation) !== "string",
    isSame(one, other) {
      const [a, b] = [openStored(one), openStored(other)];
      return (
        typeof a !== "string" &&
        typeof b !== "string" &&
        JSON.stringify([toOpaque(one), a]) === JSON.stringify([toOpaque(other), b])
      );
    },
    listUnreadable: (stored) =>
      stored.flatMap((one) => {
        const { operation } = one;
        const reason = isUnreadable(one) ? openPulled(operation) : openStored(operation);
        const entityId = sealer.entityIdOf(operation.entityId);
        if (typeof reason !== "string") return [];
        return [{ operationId: operation.operationId, ...(entityId && { entityId }), reason }];
      }),
    toStored(operation) {
      const named = sealer.toNamed(operation);
      return toOperation(named, sealer.draft(named));
    },
    sealing: { isDue, seal: (transaction, batch) => sealBatch(transaction, batch, batchSealer) },
    withRevision(operation, revision) {
      const named = toNamedOperation(operation, revision);
      return named && toOperation(named, sealer.draft(named));
    },
  };
}

type NamedField = Field & {
  /** The app's name of the field. */
  readonly ownName: string;
};

/** Both have the order of the opaque names. */
function toNamedFields(opaque: readonly Field[], own: readonly Field[]): readonly NamedField[] {
  return opaque.map(({ name }, index) => {
    const { name: ownName = "", json = "null" } = own[index] ?? {};
    return { name, json, ownName };
  });
}

function toOpaque({ kind, revision, entityId, payloadFields, metadataFields }: ParsedOperation) {
  const names = (fields: readonly Field[]) => fields.map(({ name }) => name);
  return {
    kind,
    revision,
    opaqueId: entityId,
    payload: names(payloadFields),
    metadata: names(metadataFields),
  };
}

function toEmpty(name: string): Field {
  return { name, json: '""' };
}

/** An envelope begins with its version. */
function isDraft(member: string): boolean {
  return member.startsWith("[");
}

function checkedEnvelope({ envelope, text }: ParsedOperation): SealedEnvelope | null {
  if (envelope !== undefined) return envelope;
  const result = validateSealed(scanOperation(text));
  return result.kind === "valid" ? (result.operation.envelope ?? null) : null;
}
