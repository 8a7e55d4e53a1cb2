/** The rules that an operation can break. Reasons never repeat what people wrote. */

export type OperationRule =
  | "size"
  | "nesting"
  | "string_length"
  | "repeated_member"
  | "secret_name"
  | "shape"
  | "revision"
  | "operation_id"
  | "entity_id"
  | "tombstone"
  | "field_count"
  | "changed_fields"
  | "payload";

export interface RuleError {
  readonly rule: OperationRule;
  /** For people: what is wrong and what was expected. */
  readonly reason: string;
}

export interface OperationError extends RuleError {
  /** Of the operation in its batch; the first is 0. */
  readonly index: number;
}

export function breach(rule: OperationRule, reason: string): RuleError {
  return { rule, reason };
}
