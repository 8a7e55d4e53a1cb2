/**
 * Decides which operations the log can do without. Each register of a state is owned by the
 * operation whose revision it carries. Owners are never dropped, and a device that pulls the owners
 * ends at the same state, whatever it pulled before: so no cursor can notice that the others are
 * gone.
 */
import type { OperationKind } from "../../contract/sync/operation-limits.ts";
import type { Revision } from "../../contract/sync/operation.ts";
import type { EntityState, Registers } from "./merge.ts";
import type { Field, ParsedOperation } from "./operation-text.ts";
import { compareRevisions } from "./operation.ts";

/** Whether other operations own all its registers; `state` has it and every retained operation merged. */
export function isSuperseded(state: EntityState, operation: ParsedOperation): boolean {
  const { kind, revision, payloadFields, metadataFields } = operation;
  return (
    (kind === "patch" || isLater(lifecycleOf(state, kind), revision)) &&
    areLater(state.payloadFields, payloadFields, revision) &&
    areLater(state.metadataFields, metadataFields, revision)
  );
}

/** A delete writes both registers, and the lifecycle is never below the last delete. */
function lifecycleOf(state: EntityState, kind: OperationKind): Revision | null {
  return kind === "delete" ? state.deletedRevision : state.lifecycleRevision;
}

function areLater(registers: Registers, fields: readonly Field[], revision: Revision): boolean {
  return fields.every(({ name }) => isLater(registers.get(name)?.revision ?? null, revision));
}

function isLater(owner: Revision | null, revision: Revision): boolean {
  return owner !== null && compareRevisions(owner, revision) > 0;
}
