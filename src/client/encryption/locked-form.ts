/** The form of the records of a device that waits for the account's key. */
import { parseOperation, type ParsedOperation } from "../../rules/sync/operation-text.ts";
import type { Sealer } from "../sync/encryption.ts";
import { validateSealed } from "../../rules/sync/validate-operation.ts";
import { CLEAR_FORM, isSealedId, type RecordForm } from "../sync/record-form.ts";

/** `trial` has any keys. Edits are stored as the app made them, within the limits that they will have to keep when they are sealed. */
export function createLockedForm(trial: Sealer): RecordForm {
  const isClear = ({ entityId }: ParsedOperation) => !isSealedId(entityId);
  return {
    ...CLEAR_FORM,
    kind: "locked",
    validateSealed,
    open: (stored) => stored.filter(({ operation }) => isClear(operation)),
    seal: (operation) => parseOperation(trial.seal(operation)),
    withRevision: (operation, revision, stored) =>
      isClear(operation) ? CLEAR_FORM.withRevision(operation, revision, stored) : null,
  };
}
