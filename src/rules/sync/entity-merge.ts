import {
  lifecycleWins,
  operationToState,
  registerWins,
  type EntityState,
  type Register,
  type Registers,
} from "./merge.ts";
import type { ParsedOperation } from "./operation-text.ts";

/** Adds up many operations of one entity in place: a copy for each would cost the square of their number. */
export function createEntityMerge(entityId: string) {
  const payloadFields = new Map<string, Register>();
  const metadataFields = new Map<string, Register>();
  let lifecycle: Pick<EntityState, "lifecycleRevision" | "deleted"> = {
    lifecycleRevision: null,
    deleted: false,
  };
  return {
    add(operation: ParsedOperation): void {
      const other = operationToState(operation);
      joinRegisters(payloadFields, other.payloadFields);
      joinRegisters(metadataFields, other.metadataFields);
      if (lifecycleWins(other, lifecycle)) lifecycle = other;
    },
    state(): EntityState {
      const { lifecycleRevision, deleted } = lifecycle;
      return { entityId, lifecycleRevision, deleted, payloadFields, metadataFields };
    },
  };
}

function joinRegisters(target: Map<string, Register>, others: Registers): void {
  for (const [name, register] of others) {
    const current = target.get(name);
    if (current === undefined || registerWins(register, current)) target.set(name, register);
  }
}
