/** The JSON text of an operation, of values that are texts: another spelling would be another number. */
import { DOCUMENT_SCHEMA_VERSION } from "../../contract/sync/operation-limits.ts";
import type { Revision } from "../../contract/sync/operation.ts";
import { PROTOCOL_VERSION } from "../../contract/sync/values.ts";
import { operationIdOf } from "../../rules/sync/operation.ts";
import { fieldsToText } from "../../rules/sync/visible-entity.ts";
import type { FieldTexts, OperationEdit } from "./encode-edit.ts";

/** `whole` are the members of the document where it has more of them than the edit changes. */
export function operationToText(
  { kind, entityId, payload, metadata }: OperationEdit,
  revision: Revision,
  whole: { readonly payload?: FieldTexts; readonly metadata?: FieldTexts } = {},
): string {
  const isDelete = kind === "delete";
  const document: [string, string][] = [
    ["schemaVersion", String(DOCUMENT_SCHEMA_VERSION)],
    ["entityId", JSON.stringify(entityId)],
    ["deleted", String(isDelete)],
  ];
  if (!isDelete) document.push(["payload", fieldsToText(whole.payload ?? payload)]);
  return fieldsToText([
    ["protocolVersion", String(PROTOCOL_VERSION)],
    ["operationId", JSON.stringify(operationIdOf(revision))],
    ["kind", JSON.stringify(kind)],
    ["revision", JSON.stringify(revision)],
    ["document", fieldsToText([...document, ...(whole.metadata ?? metadata)])],
    ["changedFields", JSON.stringify([...payload.keys()])],
    ["changedMetadataFields", JSON.stringify([...metadata.keys()])],
  ]);
}
