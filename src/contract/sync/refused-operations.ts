/**
 * Why the service refuses an operation, as stable codes for programs: the header `Trellis-Refused` of
 * `invalid_sync_operation` and `operation_conflict` has the index and the code of each refused one.
 * Without TypeBox, so that any client can import it.
 */

export const REFUSED_HEADER = "Trellis-Refused";

/** What the header has when `invalid_grant` means that the operator allows no further device. */
export const TOO_MANY_DEVICES = "too_many_devices";

/**
 * A push has at most this many operations. With codes of at most 20 characters the header has at
 * most 2.5 KB: a proxy may take no more than 4 KB for all headers of a response.
 */
export const MAX_REFUSED = 100;

/** Each code of an operation that is invalid by itself or after the others of its log, with the rule that the message names. */
export const RULES_BY_CODE = {
  too_large: "size",
  nested_too_deeply: "nesting",
  string_too_long: "string_length",
  member_repeated: "repeated_member",
  secret_name: "secret_name",
  operation_shape: "shape",
  protocol_version: "shape",
  kind_unknown: "shape",
  document_shape: "shape",
  schema_version: "shape",
  revision_device: "revision",
  revision_sequence: "revision",
  sequence_jump: "revision",
  operation_id: "operation_id",
  entity_id: "entity_id",
  deleted_mismatch: "tombstone",
  tombstone_payload: "tombstone",
  payload_missing: "tombstone",
  too_many_fields: "field_count",
  changed_unknown: "changed_fields",
  changed_repeated: "changed_fields",
  changed_incomplete: "changed_fields",
  changed_none: "changed_fields",
  payload_identity: "payload",
  payload_field_type: "payload",
  setting_members: "payload",
  setting_too_large: "payload",
  not_sealed: "sealed",
  key_unknown: "sealed",
} as const;

export type InvalidOperationCode = keyof typeof RULES_BY_CODE;
/** An operation id that was used before with other content is no rule of a single operation. */
export type RefusedCode = InvalidOperationCode | "id_reused";

/** A function, so that bundlers leave the table out of a client that does not need it. */
export function listRefusedCodes(): RefusedCode[] {
  return [...(Object.keys(RULES_BY_CODE) as InvalidOperationCode[]), "id_reused"];
}
