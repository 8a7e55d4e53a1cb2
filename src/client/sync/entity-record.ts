/**
 * What a device keeps of an entity: operations, as they were written, and of each whether the server
 * is known to have it. The entity's state is their merge and is stored nowhere else. Decision 10 says
 * which operations are kept. Those that came in no page are in the queues too, and here only as long
 * as they own a register, so that an edit costs the same however many are waiting.
 */
import { applyOperation, type EntityState } from "../../rules/sync/merge.ts";
import {
  scanOperations,
  toParsedOperation,
  type ParsedOperation,
} from "../../rules/sync/operation-text.ts";
import { isSuperseded } from "../../rules/sync/superseded.ts";
import { visibleEntity, type VisibleEntity } from "../../rules/sync/visible-entity.ts";

/** The operation came in no page yet. */
export const NOT_SEEN = 0;
/** A pull to the end did not bring the operation although the server once had it. */
export const MISSED = -1;
/** A pull to the end did not bring the operation, but the server said that it knows it. */
export const MISSED_BUT_KNOWN = -2;

export interface KeptOperation {
  readonly operation: ParsedOperation;
  /** The epoch in which a pulled page last brought the operation, or one of the constants above. */
  readonly seen: number;
}

export type KeptOperations = readonly KeptOperation[];

/** The text is trusted, because `keptOperationsToText` made it. */
export function parseKeptOperations(text: string | undefined): KeptOperations {
  if (text === undefined) return [];
  const { seen, operations } = JSON.parse(text) as { seen: number[]; operations: unknown[] };
  return (scanOperations(text, operations) ?? []).map((scanned, index) => ({
    operation: toParsedOperation(scanned),
    seen: seen[index] ?? NOT_SEEN,
  }));
}

export function keptOperationsToText(kept: KeptOperations): string {
  const texts = kept.map(({ operation }) => operation.text);
  return `{"seen":[${kept.map(({ seen }) => seen).join(",")}],"operations":[${texts.join(",")}]}`;
}

/** Replaces the kept operation of the same id. */
export function keepOperation(
  kept: KeptOperations,
  operation: ParsedOperation,
  seen: number,
): KeptOperations {
  return [...dropOperation(kept, operation.operationId), { operation, seen }];
}

/** Adds an operation that came in no page, and leaves those that it replaces to the queues. */
export function keepUnseen(kept: KeptOperations, operation: ParsedOperation): KeptOperations {
  const all = keepOperation(kept, operation, NOT_SEEN);
  const unseen = mergeOperations(all.filter(({ seen }) => seen === NOT_SEEN));
  return all.filter(
    (one) => one.seen !== NOT_SEEN || unseen === null || !isSuperseded(unseen, one.operation),
  );
}

export function findOperation(
  kept: KeptOperations,
  operationId: string,
): KeptOperation | undefined {
  return kept.find(({ operation }) => operation.operationId === operationId);
}

export function dropOperation(kept: KeptOperations, operationId: string): KeptOperations {
  return kept.filter(({ operation }) => operation.operationId !== operationId);
}

/** Tells operations that no device needs: later ones that this epoch's pages brought own their registers. */
export function replacedIn(
  kept: KeptOperations,
  epoch: number,
): (operation: ParsedOperation) => boolean {
  const confirmed = mergeOperations(kept.filter(({ seen }) => seen === epoch));
  return (operation) => confirmed !== null && isSuperseded(confirmed, operation);
}

/** Null for no operations. */
export function mergeOperations(kept: KeptOperations): EntityState | null {
  let state: EntityState | null = null;
  for (const { operation } of kept) ({ state } = applyOperation(state, operation));
  return state;
}

/** Null when the app shows no such entity: it is deleted, or its create is missing. */
export function showOperations(kept: KeptOperations): VisibleEntity | null {
  const state = mergeOperations(kept);
  const visible = state === null ? null : visibleEntity(state);
  return visible === null || visible.deleted ? null : visible;
}
