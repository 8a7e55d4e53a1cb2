/** The form of the records of a device that waits for the account's key. */
import type { ParsedOperation } from "../../rules/sync/operation-text.ts";
import { mergeStored } from "../sync/entity-record.ts";
import { CLEAR_FORM, isSealedId, type RecordForm } from "../sync/record-form.ts";

const isClear = ({ entityId }: ParsedOperation) => !isSealedId(entityId);

export const LOCKED_FORM: RecordForm = {
  ...CLEAR_FORM,
  kind: "locked",
  merge: (stored) => mergeStored(stored.filter(({ operation }) => isClear(operation))),
  isSame: (one, other) => one.text === other.text,
  withRevision: (operation, revision) =>
    isClear(operation) ? CLEAR_FORM.withRevision(operation, revision) : null,
};
