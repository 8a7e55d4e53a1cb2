/**
 * What a device keeps of an entity: operations, as they were written, and of each whether the server
 * is known to have it. The entity's state is their merge and is stored nowhere else. Decision 10 says
 * which operations are stored. Those that came in no page are in the queues too, and here only as long
 * as they own a register, so that an edit costs the same however many are waiting.
 */
import { createEntityMerge, type EntityState } from "../../rules/sync/merge.ts";
import {
  scanOperations,
  toParsedOperation,
  type ParsedOperation,
} from "../../rules/sync/operation-text.ts";
import { isSuperseded } from "../../rules/sync/superseded.ts";
import { restorableEntity, visibleState } from "../../rules/sync/visible-entity.ts";
import type { EntityRegisters } from "./entity.ts";
import type { TransactionSpan } from "./records.ts";

/** The operation came in no page yet. */
export const UNCONFIRMED = 0;
/** A pull to the end did not bring the operation although the server once had it. */
export const MISSED = -1;
/** A pull to the end did not bring the operation, but the server said that it knows it. */
export const MISSED_BUT_KNOWN = -2;
/** The operation is in quarantine, and here only to be shown. A stored one may have the same id. */
export const REFUSED = -3;

/**
 * The operation came in a page of the epoch and cannot be read: it takes part in no merge, replaces nothing,
 * and is never pushed. Each epoch has a mark of its own, below all others.
 */
export function unreadableIn(epoch: number): number {
  return REFUSED - epoch;
}

/** The epoch of the page that brought an operation which could not be read. */
export function epochOfUnreadable({ confirmedIn }: EntityOperation): number {
  return REFUSED - confirmedIn;
}

export interface EntityOperation {
  readonly operation: ParsedOperation;
  /** The epoch in which a pulled page last brought the operation, or one of the constants above. */
  readonly confirmedIn: number;
  /** Of what this device sent with other operations: a recovery sends them together again. */
  readonly span?: TransactionSpan;
}

export type StoredOperations = readonly EntityOperation[];

/** The text is trusted, because `storedOperationsToText` made it. */
export function parseStoredOperations(text: string | undefined): StoredOperations {
  if (text === undefined) return [];
  const {
    confirmedIn,
    spans = [],
    operations,
  } = JSON.parse(text) as {
    confirmedIn: number[];
    spans?: (readonly [first: number, last: number] | null)[];
    operations: unknown[];
  };
  return (scanOperations(text, operations) ?? []).map((scanned, index) => {
    const [first, last] = spans[index] ?? [];
    return {
      operation: toParsedOperation(scanned),
      confirmedIn: confirmedIn[index] ?? UNCONFIRMED,
      ...(first !== undefined && last !== undefined && { span: { first, last } }),
    };
  });
}

export function storedOperationsToText(stored: StoredOperations): string {
  const texts = stored.map(({ operation }) => operation.text);
  const confirmedIn = stored.map((one) => one.confirmedIn);
  const spans = stored.map(({ span }) => (span === undefined ? null : [span.first, span.last]));
  const hasSpans = spans.some((span) => span !== null);
  const members = hasSpans ? `"spans":${JSON.stringify(spans)},` : "";
  return `{"confirmedIn":[${confirmedIn.join(",")}],${members}"operations":[${texts.join(",")}]}`;
}

/** Replaces the stored operation of the same id. */
export function putOperation(
  stored: StoredOperations,
  operation: ParsedOperation,
  confirmedIn: number,
  span = findOperation(stored, operation.operationId)?.span,
): StoredOperations {
  const put = { operation, confirmedIn, ...(span && { span }) };
  return [...dropOperation(stored, operation.operationId), put];
}

/** Adds an operation that came in no page, and leaves those that it replaces to the queues. */
export function putUnconfirmed(
  stored: StoredOperations,
  operation: ParsedOperation,
): StoredOperations {
  const all = putOperation(stored, operation, UNCONFIRMED);
  const unconfirmed = mergeStored(all.filter(({ confirmedIn }) => confirmedIn === UNCONFIRMED));
  return all.filter(
    (one) =>
      one.confirmedIn !== UNCONFIRMED ||
      unconfirmed === null ||
      !isSuperseded(unconfirmed, one.operation),
  );
}

export function findOperation(
  stored: StoredOperations,
  operationId: string,
): EntityOperation | undefined {
  return stored.find((one) => one.operation.operationId === operationId && !isAside(one));
}

export function dropOperation(stored: StoredOperations, operationId: string): StoredOperations {
  return stored.filter((one) => one.operation.operationId !== operationId || isRefused(one));
}

/** Adds an operation that cannot be read, beside the one of its id that the device has. */
export function putUnreadable(
  stored: StoredOperations,
  operation: ParsedOperation,
  epoch: number,
): StoredOperations {
  const isOther = (one: EntityOperation) =>
    one.operation.operationId !== operation.operationId || !isUnreadable(one);
  return [...stored.filter(isOther), { operation, confirmedIn: unreadableIn(epoch) }];
}

/** Whether the server has something under the id of an operation that this device cannot read. */
export function isUnreadableIn(
  stored: StoredOperations,
  operationId: string,
  epoch: number,
): boolean {
  return stored.some(
    (one) =>
      one.operation.operationId === operationId &&
      isUnreadable(one) &&
      epochOfUnreadable(one) >= epoch,
  );
}

export function isRefused({ confirmedIn }: EntityOperation): boolean {
  return confirmedIn === REFUSED;
}

export function isUnreadable({ confirmedIn }: EntityOperation): boolean {
  return confirmedIn < REFUSED;
}

/** Whether the operation is only to be shown or listed: the server refused it, or it cannot be read. */
export function isAside(one: EntityOperation): boolean {
  return isRefused(one) || isUnreadable(one);
}

/** Tells operations that no device needs: later ones that this epoch's pages brought own their registers. */
export function replacedIn(
  stored: StoredOperations,
  epoch: number,
): (operation: ParsedOperation) => boolean {
  const confirmed = mergeStored(stored.filter(({ confirmedIn }) => confirmedIn === epoch));
  return (operation) => confirmed !== null && isSuperseded(confirmed, operation);
}

/** Null for no operations. A deletion that the server refused deletes nothing. */
export function mergeStored(stored: StoredOperations): EntityState | null {
  const shown = stored.filter((one) => !isRefused(one) || one.operation.kind !== "delete");
  const [first] = shown;
  if (first === undefined) return null;
  const merge = createEntityMerge(first.operation.entityId);
  for (const { operation } of shown) merge.add(operation);
  return merge.state();
}

type Merge = { merge(stored: StoredOperations): EntityState | null };

/** Null when the app shows no such entity: it is deleted, or its create is missing. */
export function toVisible({ merge }: Merge, stored: StoredOperations): EntityRegisters | null {
  const state = merge(stored);
  const visible = state === null ? null : visibleState(state);
  return visible === null || visible.deleted ? null : toEntityRegisters(visible);
}

/** Every field that the device holds of an entity, deleted or not; null when its create is missing. */
export function toRestorable({ merge }: Merge, stored: StoredOperations): EntityRegisters | null {
  const state = merge(stored);
  return state === null ? null : toEntityRegisters(state);
}

function toEntityRegisters(state: EntityState): EntityRegisters | null {
  const entity = restorableEntity(state);
  return entity === null ? null : { ...entity, registers: state.payloadFields };
}
