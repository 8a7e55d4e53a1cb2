/** What devices exchange, as plain types: an app needs no TypeBox to import them. */
import type { DOCUMENT_SCHEMA_VERSION, OperationKind } from "./operation-limits.ts";
import type { PROTOCOL_VERSION } from "./values.ts";

/** Ordered by sequence, then by device; wall clocks never decide. */
export type Revision = {
  readonly deviceId: string;
  /** A Lamport clock: greater than every sequence the device had seen. */
  readonly sequence: number;
};

export interface OperationDocument {
  readonly schemaVersion: typeof DOCUMENT_SCHEMA_VERSION;
  /** Type and identity, each part percent-encoded: `entry/water/2026-01-31`. */
  readonly entityId: string;
  /** Whether it is a tombstone, which has no payload. */
  readonly deleted: boolean;
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly [metadata: string]: unknown;
}

export interface Operation {
  readonly protocolVersion: typeof PROTOCOL_VERSION;
  /** `operation/<deviceId>/<sequence>` of the revision. */
  readonly operationId: string;
  readonly kind: OperationKind;
  readonly revision: Revision;
  readonly document: OperationDocument;
  readonly changedFields: readonly string[];
  readonly changedMetadataFields: readonly string[];
}

/** An entity in a snapshot. */
export interface SnapshotEntity {
  readonly entityId: string;
  /** Of the last create, delete or restore; null while the create is missing. */
  readonly lifecycleRevision: Revision | null;
  readonly deleted: boolean;
  readonly payloadFields: Readonly<Record<string, SnapshotRegister>>;
  readonly metadataFields: Readonly<Record<string, SnapshotRegister>>;
}

export interface SnapshotRegister {
  readonly value: unknown;
  readonly revision: Revision;
}
