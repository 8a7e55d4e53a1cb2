import { isSealableName } from "../../rules/sync/sealable-name.ts";
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
      if (isSealableName(part, name)) continue;
      return name.isWellFormed()
        ? refuseEdit("metadata_name", `metadata cannot have the name "${name}"`)
        : refuseEdit("not_json", `${part} has a name that is no well-formed text`);
    }
  }
  return null;
}
