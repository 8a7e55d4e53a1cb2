/**
 * Decides which operations the log can do without. Each register of a state is owned by the
 * operation whose revision it carries. Owners are never dropped, and a device that pulls the owners
 * ends at the same state, whatever it pulled before: so no cursor can notice that the others are
 * gone.
 */
import type { Revision } from "../../contract/sync/operation.ts";
import type { EntityState, Registers } from "./merge.ts";
import type { Field, ParsedOperation } from "./operation-text.ts";
import { compareRevisions } from "./operation.ts";

/** Whether other operations own all its registers; `state` has it and every retained operation merged. */
export function isSuperseded(state: EntityState, operation: ParsedOperation): boolean {
  const { kind, revision, payloadFields, metadataFields } = operation;
  return (
    (kind === "patch" || isLater(state.lifecycleRevision, revision)) &&
    areLater(state.payloadFields, payloadFields, revision) &&
    areLater(state.metadataFields, metadataFields, revision)
  );
}

function areLater(registers: Registers, fields: readonly Field[], revision: Revision): boolean {
  return fields.every(({ name }) => isLater(registers.get(name)?.revision ?? null, revision));
}

function isLater(owner: Revision | null, revision: Revision): boolean {
  return owner !== null && compareRevisions(owner, revision) > 0;
}
