/** The first layout of sealed operations, until no client has it. */
import { SEALED_NAME_PATTERN, SEALED_VALUE_PATTERN } from "../../contract/sync/operation-limits.ts";
import type { Operation } from "../../contract/sync/operation.ts";
import { readSealedId } from "./entity-id.ts";
import { ruleError, type RuleError } from "./operation-error.ts";
import type { Field, ScannedOperation } from "./operation-text.ts";

const NAME = new RegExp(SEALED_NAME_PATTERN);
const VALUE = new RegExp(SEALED_VALUE_PATTERN);

/** The operation must obey the rules that all profiles share. */
export function findFormerSealedError({
  value,
  payload,
  metadata,
}: ScannedOperation): RuleError | null {
  const { kind, document, changedFields, changedMetadataFields } = value as Operation;
  const entity = readSealedId(document.entityId);
  if (entity.type === "error") return notSealed(`document.entityId must ${entity.expected}`);
  if (!payload.every(isSealedField) || !metadata.every(isSealedField)) {
    return notSealed("every field must have an opaque name and an encrypted value");
  }
  const lists = [namesOf(payload), namesOf(metadata), changedFields, changedMetadataFields];
  if (!lists.every(isSorted)) return notSealed("fields and changed lists must be sorted by name");
  // All changed fields exist, so equal numbers are the same names.
  const changed = changedFields.length + changedMetadataFields.length;
  return kind === "patch" && changed < payload.length + metadata.length
    ? notSealed("a patch must have exactly the fields that it changes")
    : null;
}

function notSealed(expected: string): RuleError {
  return ruleError("not_sealed", `the server takes only encrypted operations: ${expected}`);
}

/** A value is checked as it is written: an escape would be a second spelling of it. */
export function isSealedField({ name, json }: Field): boolean {
  return NAME.test(name) && json.startsWith('"') && VALUE.test(json.slice(1, -1));
}

function namesOf(fields: readonly Field[]): readonly string[] {
  return fields.map(({ name }) => name);
}

function isSorted(names: readonly string[]): boolean {
  return names.every((name, index) => index === 0 || (names[index - 1] as string) < name);
}
