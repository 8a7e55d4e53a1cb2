/**
 * What a device keeps of an entity: operations, as they were written, and of each whether the server
 * is known to have it. The entity's state is their merge and is stored nowhere else. Decision 25 says
 * which operations are kept.
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
/** As before, and the server said that it knows the operation. */
export const MISSED_BUT_KNOWN = -2;

export interface KeptOperation {
  readonly operation: ParsedOperation;
  /** The epoch in which a pulled page last brought the operation, or one of the constants above. */
  readonly seen: number;
}

export type KeptOperations = readonly KeptOperation[];

/** Trusted: the text is one that `keptOperationsToText` made. */
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

export function dropOperation(kept: KeptOperations, operationId: string): KeptOperations {
  return kept.filter(({ operation }) => operation.operationId !== operationId);
}

/**
 * Splits off the operations that no device needs again: every register that they wrote is owned by a
 * later operation that the server has, as a page of this epoch has shown.
 */
export function dropSuperseded(
  kept: KeptOperations,
  epoch: number,
): { readonly kept: KeptOperations; readonly dropped: KeptOperations } {
  const confirmed = mergeOperations(kept.filter(({ seen }) => seen === epoch));
  if (confirmed === null || kept.length === 1) return { kept, dropped: [] };
  const isNeeded = ({ operation }: KeptOperation) => !isSuperseded(confirmed, operation);
  return { kept: kept.filter(isNeeded), dropped: kept.filter((one) => !isNeeded(one)) };
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
