/**
 * What every device and the server must show at the end. It follows from the edits alone: the rules of
 * the merge are written here once more, so that an error in `rules/sync` is not its own witness.
 */
import { isDeepStrictEqual } from "node:util";
import type { Operation, Revision } from "../../../src/client/index.ts";
import type { EditHistory, EditRecord } from "./edit-history.ts";

export interface Findings {
  readonly history: EditHistory;
  /** Every operation that a client sent, by id. */
  readonly sent: ReadonlyMap<string, Operation>;
  /** The log of the server at the end. */
  readonly log: readonly Operation[];
  /** Ids of the operations that a device had in its storage when the faults ended. */
  readonly held: ReadonlySet<string>;
  /** Ids of the operations in the quarantines of all devices. */
  readonly quarantined: ReadonlySet<string>;
  /** What each device and the server shows. */
  readonly views: ReadonlyMap<string, EntityFields>;
}

/** Visible entities by id; the fields of payload and metadata. */
export type EntityFields = ReadonlyMap<string, ShownEntity>;

export interface ShownEntity {
  readonly payload: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The name of its view. */
export const SERVER = "the server";

/** Returns everything that is wrong. */
export function judge(findings: Findings): string[] {
  const { history, quarantined, views, sent } = findings;
  const errors: string[] = [];
  const { operationOf, unknown } = matchOperations(history, sent);
  for (const id of unknown) errors.push(`${id} was sent, but no edit made it`);
  errors.push(...checkLog(findings));
  const inLog = new Set(findings.log.map(({ operationId }) => operationId));
  /** Went with its device before another one had it. */
  const isGone = ({ operationId, revision }: Operation) =>
    [revision.deviceId, toDeviceName(revision.deviceId)].some((id) =>
      history.goneDevices.has(id),
    ) && !findings.held.has(operationId);
  const accepted: Operation[] = [];
  const overwritten: Operation[] = [];
  for (const record of history.records) {
    const operation = operationOf.get(record) ?? toOperation(record);
    if (operation === null) continue;
    const { operationId } = operation;
    if (quarantined.has(operationId)) {
      if (!record.isRefusable) errors.push(`${operationId} is in quarantine without a cause`);
    } else if (history.discarded.has(operationId)) continue;
    else if (inLog.has(operationId)) accepted.push(operation);
    else if (record.isRefusable) overwritten.push(operation);
    else if (!isGone(operation)) accepted.push(operation);
  }
  const expected = mergeAll(accepted);
  for (const operation of overwritten) {
    const isPurged = history.purged.has(operation.document.entityId);
    if (isOverwritten(expected, operation) || isGone(operation) || isPurged) continue;
    errors.push(`${operation.operationId} is neither in a quarantine nor overwritten`);
  }
  const shown = showAll(expected);
  const purged = new Map<string, ShownEntity | undefined>();
  for (const entityId of history.purged) purged.set(entityId, views.get(SERVER)?.get(entityId));
  for (const [name, view] of views) errors.push(...compare(name, shown, purged, view));
  return errors;
}

/** Which operation an edit became. An edit without a result may have become one, or none. */
function matchOperations(history: EditHistory, sent: ReadonlyMap<string, Operation>) {
  const operationOf = new Map<EditRecord, Operation>();
  const unknown: string[] = [];
  const byId = new Map<string, EditRecord>();
  const open = new Set<EditRecord>();
  for (const record of history.records) {
    if (record.result === null) open.add(record);
    else if (record.result.kind === "stored") byId.set(record.result.operationId, record);
  }
  for (const [operationId, operation] of sent) {
    let record = byId.get(operationId);
    if (record === undefined) {
      record = [...open].find((one) => isOperationOf(one, operation));
      if (record !== undefined) open.delete(record);
    }
    if (record === undefined || !isOperationOf(record, operation)) unknown.push(operationId);
    else operationOf.set(record, operation);
  }
  return { operationOf, unknown };
}

/** Ids are the name and random characters. */
function toDeviceName(deviceId: string): string {
  return deviceId.replace(/-[^-]*$/, "");
}

function isOperationOf(record: EditRecord, operation: Operation): boolean {
  const { kind, revision } = operation;
  const { payload, metadata } = changesOf(operation);
  return (
    kind === record.kind &&
    operation.document.entityId === record.entityId &&
    toDeviceName(revision.deviceId) === record.deviceName &&
    isDeepStrictEqual(payload, kind === "delete" ? {} : record.payload) &&
    isDeepStrictEqual(metadata, record.metadata)
  );
}

function changesOf({ document, changedFields, changedMetadataFields }: Operation): ShownEntity {
  const pick = (fields: Readonly<Record<string, unknown>>, names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, fields[name]]));
  return {
    payload: pick(document.payload ?? {}, changedFields),
    metadata: pick(document, changedMetadataFields),
  };
}

/** A stored edit as an operation; null for one that was refused or has no result. */
function toOperation({ result, kind, entityId, payload, metadata }: EditRecord): Operation | null {
  if (result?.kind !== "stored") return null;
  const [, deviceId = "", sequence = ""] = result.operationId.split("/");
  const deleted = kind === "delete";
  return {
    protocolVersion: 1,
    operationId: result.operationId,
    kind,
    revision: { deviceId, sequence: Number(sequence) },
    document: { schemaVersion: 1, entityId, deleted, ...(!deleted && { payload }), ...metadata },
    changedFields: deleted ? [] : Object.keys(payload),
    changedMetadataFields: Object.keys(metadata),
  };
}

function checkLog({ log, sent }: Findings): string[] {
  const errors: string[] = [];
  const ids = new Set<string>();
  for (const operation of log) {
    const { operationId } = operation;
    if (ids.has(operationId)) errors.push(`${operationId} is in the log twice`);
    ids.add(operationId);
    if (!isDeepStrictEqual(sent.get(operationId), operation)) {
      errors.push(`${operationId} is not in the log as it was sent`);
    }
  }
  return errors;
}

interface ExpectedEntity {
  lifecycle: Revision | null;
  deletion: Revision | null;
  deleted: boolean;
  /** By `payload name` or `metadata name`. */
  readonly fields: Map<string, { readonly value: unknown; readonly revision: Revision }>;
}

type Expected = ReadonlyMap<string, ExpectedEntity>;

function mergeAll(operations: readonly Operation[]): Expected {
  const entities = new Map<string, ExpectedEntity>();
  for (const operation of operations) {
    const { entityId } = operation.document;
    const entity = entities.get(entityId) ?? createExpected();
    entities.set(entityId, entity);
    const { revision, kind } = operation;
    if (kind !== "patch" && isGreater(revision, entity.lifecycle)) {
      entity.lifecycle = revision;
      entity.deleted = kind === "delete";
    }
    if (kind === "delete" && isGreater(revision, entity.deletion)) entity.deletion = revision;
    for (const [name, value] of namedChanges(operation)) {
      if (isGreater(revision, entity.fields.get(name)?.revision ?? null)) {
        entity.fields.set(name, { value, revision });
      }
    }
  }
  return entities;
}

function createExpected(): ExpectedEntity {
  return { lifecycle: null, deletion: null, deleted: false, fields: new Map() };
}

function namedChanges(operation: Operation): [string, unknown][] {
  const { payload, metadata } = changesOf(operation);
  return [
    ...Object.entries(payload).map(([name, value]): [string, unknown] => [
      `payload ${name}`,
      value,
    ]),
    ...Object.entries(metadata).map(([name, value]): [string, unknown] => [
      `metadata ${name}`,
      value,
    ]),
  ];
}

function isGreater(a: Revision, b: Revision | null): boolean {
  if (b === null) return true;
  return a.sequence === b.sequence ? a.deviceId > b.deviceId : a.sequence > b.sequence;
}

function isOverwritten(expected: Expected, operation: Operation): boolean {
  const entity = expected.get(operation.document.entityId);
  if (entity === undefined) return false;
  const { revision, kind } = operation;
  const isOwnedByLater = (owner: Revision | null) => owner !== null && isGreater(owner, revision);
  return (
    (kind === "patch" || isOwnedByLater(entity.lifecycle)) &&
    (kind !== "delete" || isOwnedByLater(entity.deletion)) &&
    namedChanges(operation).every(([name]) =>
      isOwnedByLater(entity.fields.get(name)?.revision ?? null),
    )
  );
}

function showAll(expected: Expected): EntityFields {
  const shown = new Map<string, ShownEntity>();
  for (const [entityId, { lifecycle, deletion, deleted, fields }] of expected) {
    if (lifecycle === null || deleted) continue;
    const visible = [...fields].filter(
      ([, { revision }]) => deletion === null || !isGreater(deletion, revision),
    );
    const part = (prefix: string) =>
      Object.fromEntries(
        visible
          .filter(([name]) => name.startsWith(prefix))
          .map(([name, { value }]) => [name.slice(prefix.length), value]),
      );
    shown.set(entityId, { payload: part("payload "), metadata: part("metadata ") });
  }
  return shown;
}

/** `purged` has what the server shows of purged entities: a device may show that, or the whole history. */
function compare(
  name: string,
  expected: EntityFields,
  purged: ReadonlyMap<string, ShownEntity | undefined>,
  view: EntityFields,
): string[] {
  const errors: string[] = [];
  for (const entityId of new Set([...expected.keys(), ...view.keys()])) {
    const [wanted, found] = [expected.get(entityId), view.get(entityId)];
    if (isDeepStrictEqual(wanted, found)) continue;
    if (purged.has(entityId) && isDeepStrictEqual(purged.get(entityId), found)) continue;
    const texts = [found, wanted].map((one) => JSON.stringify(one) ?? "nothing");
    errors.push(`${name} shows ${entityId} as ${texts[0]}, not ${texts[1]}`);
  }
  return errors;
}
