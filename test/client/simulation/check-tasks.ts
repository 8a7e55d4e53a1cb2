/** What collections must show, and that transactions are whole: it follows from the edits alone. */
import { isDeepStrictEqual } from "node:util";
import type { Operation } from "../../../src/contract/sync/operation.ts";
import type { EditRecord } from "./edit-history.ts";
import { isOverwritten, type Expected, type EntityFields } from "./expected-merge.ts";
import { sortTasks, type ShownTask } from "./tasks.ts";

type Payload = Readonly<Record<string, unknown>>;

/** Compares the lists of all devices with what the merged fields say, except of entities that are not known. */
export function checkTaskLists(
  shown: EntityFields,
  lists: ReadonlyMap<string, readonly ShownTask[]>,
  isKnown: (entityId: string) => boolean,
): string[] {
  const tasks = [...shown].flatMap(([entityId, { payload }]) =>
    entityId.startsWith("task/") ? [toTask(entityId.slice("task/".length), payload)] : [],
  );
  const ofKnown = (list: readonly ShownTask[]) => list.filter(({ id }) => isKnown(`task/${id}`));
  const wanted = ofKnown(sortTasks(tasks));
  return [...lists].flatMap(([name, list]) => {
    const found = ofKnown(list);
    if (isDeepStrictEqual(found, wanted)) return [];
    return [`${name} lists tasks as ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`];
  });
}

function toTask(id: string, payload: Payload): ShownTask {
  const plain = Object.entries(payload).filter(
    ([name, value]) => !name.includes("/") && value !== null,
  );
  const position = typeof payload["position"] === "string" ? payload["position"] : "";
  const tags = partsOf("tags", payload).flatMap(([tag, value]) => (value === true ? [tag] : []));
  const fields = { ...Object.fromEntries(plain), spent: countOf(payload), tags: tags.sort() };
  return { ...fields, position, id };
}

function partsOf(field: string, payload: Payload): [part: string, value: unknown][] {
  return Object.entries(payload).flatMap(([name, value]) =>
    name.startsWith(`${field}/`)
      ? [[decodeURIComponent(name.slice(field.length + 1)), value] as [string, unknown]]
      : [],
  );
}

/** A client that does not count by device writes the number itself. */
function countOf(payload: Payload): number {
  const counts = partsOf("spent", payload).map(([, count]) => Number(count));
  return counts.reduce((sum, count) => sum + count, Number(payload["spent"] ?? 0));
}

/**
 * The count of a task that was never removed is the sum of all increments: of each device, those up to
 * the last one that is not gone with it.
 */
export function checkCounters(
  operationOf: ReadonlyMap<EditRecord, Operation>,
  accepted: ReadonlySet<Operation>,
  shown: EntityFields,
): string[] {
  const removed = new Set(
    [...operationOf].flatMap(([{ kind, entityId }]) =>
      kind === "delete" || kind === "restore" ? [entityId] : [],
    ),
  );
  const sums = new Map<string, number>();
  const increments = [...operationOf].filter(
    ([{ call, entityId }]) => call?.name === "increment" && !removed.has(entityId),
  );
  const groups = Map.groupBy(
    increments,
    ([{ entityId }, { revision }]) => `${entityId} ${revision.deviceId}`,
  );
  for (const ofDevice of groups.values()) {
    const kept = ofDevice.filter(([, operation]) => accepted.has(operation));
    const last = Math.max(...kept.map(([, { revision }]) => revision.sequence));
    for (const [{ call, entityId }, { revision }] of ofDevice) {
      if (call?.name !== "increment" || revision.sequence > last) continue;
      sums.set(entityId, (sums.get(entityId) ?? 0) + call.by);
    }
  }
  return [...sums].flatMap(([entityId, sum]) => {
    const entity = shown.get(entityId);
    const found = entity === undefined ? sum : countOf(entity.payload);
    return found === sum ? [] : [`${entityId} counts ${found}, but ${sum} was added`];
  });
}

export interface PushFindings {
  /** The ids of the operations of each push that the server took. */
  readonly pushes: readonly (readonly string[])[];
  /** Whether the server, and a proxy before it, takes these operations in one push. */
  readonly fitsPush: (ids: readonly string[]) => boolean;
}

/**
 * The server first took all operations of a transaction in one push, except those that others replaced, and a
 * transaction that fits none.
 */
export function checkTransactions(
  records: readonly EditRecord[],
  operationOf: ReadonlyMap<EditRecord, Operation>,
  expected: Expected,
  { pushes, fitsPush }: PushFindings,
  isKnown: (entityId: string) => boolean,
): string[] {
  const firstPushOf = new Map<string, number>();
  for (const [index, ids] of pushes.entries()) {
    for (const id of ids) if (!firstPushOf.has(id)) firstPushOf.set(id, index);
  }
  const errors: string[] = [];
  const joined = records.filter(({ group }) => group !== undefined);
  for (const [group, members] of Map.groupBy(joined, (record) => record.group)) {
    const [sent] = members.flatMap((record, index) => {
      const operation = operationOf.get(record);
      return operation === undefined ? [] : [{ operation, index }];
    });
    if (sent === undefined) continue;
    const { deviceId, sequence } = sent.operation.revision;
    const taken = new Set<number>();
    for (const [index, record] of members.entries()) {
      const operation = operationOf.get(record);
      const push = operation === undefined ? undefined : firstPushOf.get(operation.operationId);
      if (push !== undefined) taken.add(push);
      if (operation !== undefined || !isKnown(record.entityId)) continue;
      const missing = toMissing(record, { deviceId, sequence: sequence + index - sent.index });
      if (!isOverwritten(expected, missing)) {
        errors.push(`Of the transaction e${group}, e${record.number} was never sent`);
      }
    }
    const ids = members.flatMap((record) => operationOf.get(record)?.operationId ?? []);
    if (taken.size > 1 && fitsPush(ids))
      errors.push(`The transaction e${group} came in pushes ${[...taken].join(", ")}`);
  }
  return errors;
}

/** As far as it matters for what replaces it. */
function toMissing(
  { kind, entityId, payload, decided }: EditRecord,
  revision: Operation["revision"],
): Operation {
  const own = decided === "spent" ? `spent/${revision.deviceId}` : decided;
  const changedFields = [...Object.keys(payload ?? {}), ...(own === undefined ? [] : [own])];
  return {
    protocolVersion: 1,
    operationId: "",
    kind,
    revision,
    document: { schemaVersion: 1, entityId, deleted: kind === "delete", payload: {} },
    changedFields: kind === "delete" ? [] : changedFields,
    changedMetadataFields: [],
  };
}
