/** What every device and the server must show at the end: it follows from the edits alone. */
import { isDeepStrictEqual } from "node:util";
import type { Operation } from "../../../src/contract/sync/operation.ts";
import type { Bills } from "./bills.ts";
import { checkBills, findSettle } from "./check-bills.ts";
import { checkRestore } from "./check-restore.ts";
import {
  checkCounters,
  checkTaskLists,
  checkTransactions,
  type PushFindings,
} from "./check-tasks.ts";
import type { EditHistory, EditRecord } from "./edit-history.ts";
import {
  changesOf,
  isOverwritten,
  mergeAll,
  showAll,
  showDeleted,
  type EntityFields,
  type ShownEntity,
} from "./expected-merge.ts";
import type { ShownTask } from "./tasks.ts";

export interface Findings extends PushFindings {
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
  /** What each device and the server can bring back. */
  readonly deleted: ReadonlyMap<string, EntityFields>;
  /** What the collection of each device lists. */
  readonly tasks: ReadonlyMap<string, readonly ShownTask[]>;
  /** What the newer build lists of bills, by device. */
  readonly bills: ReadonlyMap<string, ReturnType<Bills["list"]>>;
  /** Whether the server refuses what its clients do not. */
  readonly isStricter: boolean;
}

/** The name of its view. */
export const SERVER = "the server";

/** Returns everything that is wrong. */
export function judge(findings: Findings): string[] {
  const { history, quarantined, views, sent } = findings;
  const errors: string[] = [];
  const { operationOf, unknown } = matchOperations(history, sent);
  for (const id of unknown) errors.push(`${id} was sent, but no edit made it`);
  errors.push(...checkLog(findings), ...checkRestores(findings, operationOf));
  const inLog = new Set(findings.log.map(({ operationId }) => operationId));
  /** Went with its device before another one had it. */
  const isGone = ({ operationId, revision }: Operation) =>
    [revision.deviceId, toDeviceName(revision.deviceId)].some((id) =>
      history.goneDevices.has(id),
    ) && !findings.held.has(operationId);
  const accepted: Operation[] = [];
  const overwritten: Operation[] = [];
  const records = [...new Set([...history.records, ...operationOf.keys()])];
  const isDiscarded = findDiscarded(history, operationOf);
  for (const record of records) {
    const operation = operationOf.get(record) ?? toOperation(record);
    if (operation === null) continue;
    const { operationId } = operation;
    if (quarantined.has(operationId)) {
      if (!record.isRefusable) errors.push(`${operationId} is in quarantine without a cause`);
    } else if (isDiscarded(record, operation)) continue;
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
  const isKnown = (entityId: string) => !history.purged.has(entityId);
  const isKept = ([entityId]: [string, unknown]) => isKnown(entityId);
  errors.push(
    ...checkTaskLists(shown, findings.tasks, isKnown),
    ...checkBills(expected, findings.bills, isKnown),
    ...checkTransactions(history.records, operationOf, expected, findings, isKnown),
    ...(findings.isStricter ? [] : checkCounters(operationOf, new Set(accepted), shown)),
  );
  const restorable = new Map([...showDeleted(expected)].filter(isKept));
  for (const [name, view] of findings.deleted) {
    const kept = new Map([...view].filter(isKept));
    errors.push(...compare(`${name}, of what is deleted,`, restorable, new Map(), kept));
  }
  return errors;
}

/** Which operation an edit became. An edit without a result may have become one, or none. */
function matchOperations(history: EditHistory, sent: ReadonlyMap<string, Operation>) {
  const operationOf = new Map<EditRecord, Operation>();
  const unknown: string[] = [];
  const byId = new Map<string, EditRecord>();
  const open = new Set<EditRecord>();
  const unmatched: Operation[] = [];
  const counts = new Set([...sent.values()].map(toCount));
  for (const record of history.records) {
    if (record.result === null) open.add(record);
    else if (record.result.kind === "stored") byId.set(record.result.operationId, record);
  }
  for (const [operationId, operation] of sent) {
    const isCounted = ({ call }: EditRecord) =>
      call?.name !== "increment" || counts.has(toCount(operation) - call.by);
    let record = byId.get(operationId);
    if (record === undefined) {
      const fitting = [...open].filter((one) => isOperationOf(one, operation));
      // A restore without a payload fits many.
      record = fitting.find((one) => one.payload !== null && isCounted(one)) ?? fitting[0];
      if (record !== undefined) open.delete(record);
    }
    if (record !== undefined && isOperationOf(record, operation)) {
      operationOf.set(record, operation);
    } else unmatched.push(operation);
  }
  for (const operation of unmatched) {
    const move = findMove(operationOf, operation);
    const settle = findSettle(history, operation, toDeviceName(operation.revision.deviceId));
    if (settle !== null) operationOf.set(settle, operation);
    else if (move === null) unknown.push(operation.operationId);
    else operationOf.set({ ...move, entityId: operation.document.entityId }, operation);
  }
  return { operationOf, unknown };
}

/** A move gives new places to others that leave it no room; they follow it in its transaction. */
function findMove(
  operationOf: ReadonlyMap<EditRecord, Operation>,
  { kind, revision, document, changedFields }: Operation,
): EditRecord | null {
  const { deviceId, sequence } = revision;
  const isPlaced = kind === "patch" && isDeepStrictEqual(changedFields, ["position"]);
  if (!isPlaced || !document.entityId.startsWith("task/")) return null;
  const moves = [...operationOf].filter(
    ([{ call }, { revision: own }]) =>
      call?.name === "move" && own.deviceId === deviceId && own.sequence < sequence,
  );
  const nearest = moves.sort(
    ([, one], [, other]) => one.revision.sequence - other.revision.sequence,
  );
  return nearest.at(-1)?.[0] ?? null;
}

/** Who discards one operation of a transaction discards all. */
function findDiscarded(
  { discarded }: EditHistory,
  operationOf: ReadonlyMap<EditRecord, Operation>,
): (record: EditRecord, operation: Operation) => boolean {
  const groupOf = ({ group, number }: EditRecord) => group ?? number;
  const groups = new Set(
    [...operationOf].flatMap(([record, { operationId }]) =>
      discarded.has(operationId) ? [groupOf(record)] : [],
    ),
  );
  return (record, { operationId }) => discarded.has(operationId) || groups.has(groupOf(record));
}

/** What an increment wrote; 0 for another operation. */
function toCount({ document, changedFields: [name = ""] }: Operation): number {
  return name.startsWith("spent") ? Number(document.payload?.[name]) : 0;
}

/** Ids are the name and random characters. */
function toDeviceName(deviceId: string): string {
  return deviceId.replace(/-[^-]*$/, "");
}

function isOperationOf(record: EditRecord, operation: Operation): boolean {
  const { kind, revision } = operation;
  const { payload: changed, metadata } = changesOf(operation);
  const isDecided = (name: string) => name.split("/")[0] === record.decided;
  const [decided, others] = [true, false].map((is) =>
    Object.entries(changed).filter(([name]) => isDecided(name) === is),
  );
  const payload = Object.fromEntries(others ?? []);
  return (
    kind === record.kind &&
    decided?.length === Number(record.decided !== undefined) &&
    operation.document.entityId === record.entityId &&
    toDeviceName(revision.deviceId) === record.deviceName &&
    (record.payload === null ||
      (isDeepStrictEqual(payload, kind === "delete" ? {} : record.payload) &&
        isDeepStrictEqual(metadata, record.metadata)))
  );
}

/** A stored edit as an operation; null for one that was refused, or of which nothing is known. */
function toOperation({ result, kind, entityId, ...record }: EditRecord): Operation | null {
  if (result?.kind !== "stored") return null;
  const [, deviceId = "", sequence = ""] = result.operationId.split("/");
  const { payload, metadata } = toWritten(record, deviceId) ?? {};
  if (!payload || !metadata) return null;
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

/** What an edit wrote, as far as its app showed what the client decided. */
function toWritten(
  { payload, metadata, broughtBack, decided }: Omit<EditRecord, "result" | "kind" | "entityId">,
  deviceId: string,
): ShownEntity | null {
  if (payload === null) return broughtBack;
  if (decided === undefined) return { payload, metadata };
  const name = decided === "spent" ? `spent/${deviceId}` : decided;
  if (broughtBack === null || !(name in broughtBack.payload)) return null;
  return { payload: { ...payload, [name]: broughtBack.payload[name] }, metadata };
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

function checkRestores(
  { history, sent, quarantined }: Findings,
  operationOf: ReadonlyMap<EditRecord, Operation>,
): string[] {
  const { records, discarded } = history;
  const unsent = records.flatMap((one) => (operationOf.has(one) ? [] : (toOperation(one) ?? [])));
  const refusable = records.flatMap(({ isRefusable, result }) =>
    isRefusable && result?.kind === "stored" ? result.operationId : [],
  );
  const lapsed = new Set([...discarded, ...quarantined, ...refusable]);
  return [...operationOf]
    .filter(([{ payload }]) => payload === null)
    .flatMap(([, restore]) =>
      checkRestore(restore, [...sent.values(), ...unsent], records, lapsed),
    );
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
