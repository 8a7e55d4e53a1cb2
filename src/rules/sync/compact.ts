/**
 * Which operations the log can do without. A state's registers are owned by the operations whose
 * revisions they carry. Owners are never dropped, and whoever pulls the owners ends at the same state,
 * whatever was seen before: so no cursor can notice that the rest is gone.
 */
import type { Revision } from "../../contract/sync/types.ts";
import type { EntityState } from "./merge.ts";
import type { ReadOperation } from "./read-operation.ts";
import type { Registers } from "./registers.ts";
import { compareRevisions } from "./revision.ts";

/** What compaction needs of an operation. */
export type WrittenRegisters = Pick<
  ReadOperation,
  "kind" | "revision" | "payloadFields" | "metadataFields"
>;

/**
 * Whether every register that the operation wrote is owned by another one. The state is that of its
 * entity, with this operation and every retained one merged.
 */
export function isSuperseded(state: EntityState, operation: WrittenRegisters): boolean {
  const { kind, revision, payloadFields, metadataFields } = operation;
  return (
    (kind === "patch" || isLater(state.lifecycleRevision, revision)) &&
    areLater(state.payloadFields, payloadFields.names, revision) &&
    areLater(state.metadataFields, metadataFields.names, revision)
  );
}

function areLater(registers: Registers, names: Iterable<string>, revision: Revision): boolean {
  for (const name of names) {
    if (!isLater(registers.get(name)?.revision ?? null, revision)) return false;
  }
  return true;
}

function isLater(owner: Revision | null, revision: Revision): boolean {
  return owner !== null && compareRevisions(owner, revision) > 0;
}
