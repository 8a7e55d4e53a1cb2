import type { EncodedEdit } from "../sync/encode-edit.ts";
import { refuseEdit, type RefusedEdit } from "../sync/errors.ts";
import { isSealedId } from "../sync/record-form.ts";

export function findUnsealable(edit: EncodedEdit): RefusedEdit | null {
  const { entityId, payload, initial, metadata } = edit;
  if (isSealedId(entityId)) {
    return refuseEdit("entity_id", `entityId cannot have the type "sealed"`);
  }
  for (const [part, texts] of [
    ["payload", payload],
    ["payload", initial],
    ["metadata", metadata],
  ] as const) {
    for (const name of texts?.keys() ?? []) {
      // UTF-8 would make one name of all that are no well-formed UTF-16.
      if (name.isWellFormed()) continue;
      return refuseEdit("not_json", `${part} has a name that is no well-formed text`);
    }
  }
  return null;
}
