/** How operations are identified, ordered and built. */
import {
  DOCUMENT_SCHEMA_VERSION,
  type OperationKind,
} from "../../contract/sync/operation-limits.ts";
import type { Operation, Revision } from "../../contract/sync/operation.ts";
import { PROTOCOL_VERSION } from "../../contract/sync/values.ts";

/** Negative when `a` is older. Devices are compared by code unit, so that every platform agrees. */
export function compareRevisions(a: Revision, b: Revision): number {
  if (a.sequence !== b.sequence) return a.sequence - b.sequence;
  return a.deviceId < b.deviceId ? -1 : a.deviceId > b.deviceId ? 1 : 0;
}

/** Device ids are of unreserved characters, whose percent-encoding is themselves. */
export function operationIdOf({ deviceId, sequence }: Revision): string {
  return `operation/${deviceId}/${sequence}`;
}

/** The sequence of the revision that an operation id names. */
export function sequenceOf(operationId: string): number {
  return Number(operationId.slice(operationId.lastIndexOf("/") + 1));
}

export interface OperationContent {
  readonly kind: OperationKind;
  readonly revision: Revision;
  readonly entityId: string;
  /** The whole payload; ignored for a delete, which has none. */
  readonly payload?: Readonly<Record<string, unknown>>;
  /** The whole metadata. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The payload fields that a patch changes; by default all of them. */
  readonly changedFields?: readonly string[];
  /** The metadata fields that a patch or delete changes; by default all of them. */
  readonly changedMetadataFields?: readonly string[];
}

/** An operation that a device can push, or give to `validateOperation` first. */
export function buildOperation(content: OperationContent): Operation {
  const { kind, revision, entityId, metadata = {} } = content;
  const deleted = kind === "delete";
  const payload = deleted ? {} : (content.payload ?? {});
  return {
    protocolVersion: PROTOCOL_VERSION,
    operationId: operationIdOf(revision),
    kind,
    revision,
    document: {
      schemaVersion: DOCUMENT_SCHEMA_VERSION,
      entityId,
      deleted,
      ...(deleted ? {} : { payload }),
      ...metadata,
    },
    changedFields: [...(content.changedFields ?? Object.keys(payload))],
    changedMetadataFields: [...(content.changedMetadataFields ?? Object.keys(metadata))],
  };
}
