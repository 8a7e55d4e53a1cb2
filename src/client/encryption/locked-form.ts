/** The form of the records of a device that waits for the account's key. */
import type { ParsedOperation } from "../../rules/sync/operation-text.ts";
import { mergeStored } from "../sync/entity-record.ts";
import { CLEAR_FORM, isSealedId, type RecordForm } from "../sync/record-form.ts";
import type { OperationSealer } from "./operation-sealer.ts";
import { sealedBytes } from "./sealed-bytes.ts";

/** `trial` has any key: all names that it makes have the length of those that will be. */
export function createLockedForm(trial: OperationSealer): RecordForm {
  const isClear = ({ entityId }: ParsedOperation) => !isSealedId(entityId);
  return {
    ...CLEAR_FORM,
    kind: "locked",
    merge: (stored) => mergeStored(stored.filter(({ operation }) => isClear(operation))),
    isSame: (one, other) => one.text === other.text,
    pushedBytes: (operation) => sealedBytes(trial.draft(trial.toNamed(operation))),
    withRevision: (operation, revision) =>
      isClear(operation) ? CLEAR_FORM.withRevision(operation, revision) : null,
  };
}
