/** Operations of the profile `sealed`: what looks sealed, and what breaks its grammar. */
import { MAX_SEALED_OPERATION_BYTES } from "../../src/contract/sync/operation-limits.ts";
import {
  createSealedOperation,
  keyIdOf,
  sealedEnvelope,
  type SealedOperationOptions,
} from "../../test/fixtures/sealed-operation.ts";
import { FILL, note, type OperationInput } from "./operation-inputs.ts";

function sealed(options: SealedOperationOptions = {}, changes: object = {}): OperationInput {
  const operation = { ...createSealedOperation(options), ...changes };
  return { profile: "sealed", text: JSON.stringify(operation) };
}

const [first, second] = ["AAAAAAAAAAAAAAAAAAAAAA", "zAAAAAAAAAAAAAAAAAAAAA"] as const;
const both = [first, second];
const keyId = keyIdOf("key 1");
const bytes = "A".repeat(54);
const withId = (entityId: string) => sealed({ entityId });
const withName = (name: string) => sealed({ payload: [name] });
const withEnvelope = (envelope: string) => sealed({ payload: [first], envelope });
const withMembers = (members: object) => sealed({}, { document: documentOf(members) });

/** An operation of `size` bytes in all; the envelope is filled. */
function sized(size: number): OperationInput {
  const { text } = withEnvelope(`2.${keyId}.${bytes}${FILL}`);
  const times = size - (text.length - FILL.length);
  return { profile: "sealed", text, fill: { text: "A", times } };
}

/** The largest size that an envelope of whole bytes gives; one character more is one byte of its content. */
const largest = [0, 1, 2, 3]
  .map((less) => sized(MAX_SEALED_OPERATION_BYTES - less))
  .find(({ fill }) => ((fill?.times ?? 0) + bytes.length) % 4 === 0) as OperationInput;

/** A live document with these members beside those of every document, in this order. */
function documentOf(members: object): object {
  const { schemaVersion, entityId, deleted } = createSealedOperation().document;
  return { schemaVersion, entityId, deleted, ...members };
}

const envelope = sealedEnvelope("phone 1");
const payload = { [first]: "", [second]: "" };
const metadata = { [first]: "", sealed: envelope, [second]: "" };

export const SEALED_INPUTS: Record<string, OperationInput> = {
  "sealed: a create": sealed(),
  "sealed: a create without fields": sealed({ payload: [] }),
  "sealed: a create with metadata": sealed({ metadata: both }),
  "sealed: a patch": sealed({ kind: "patch" }),
  "sealed: a patch of metadata alone": sealed({ kind: "patch", payload: [], metadata: both }),
  "sealed: a patch without fields": sealed({ kind: "patch", payload: [] }),
  "sealed: a tombstone": sealed({ kind: "delete" }),
  "sealed: a tombstone with metadata": sealed({ kind: "delete", metadata: both }),
  "sealed: a restore": sealed({ kind: "restore" }),
  "sealed: the shortest envelope": withEnvelope(`2.${keyId}.${bytes}`),
  "sealed: the largest operation": largest,
  "sealed: more than the largest": sized(MAX_SEALED_OPERATION_BYTES + 1),
  "sealed: a clear operation": { profile: "sealed", text: JSON.stringify(note) },
  "sealed: an entity id of 31 bytes": withId(`sealed/${"A".repeat(42)}`),
  "sealed: an entity id with an unused bit": withId(`sealed/${"A".repeat(42)}B`),
  "sealed: an entity id with padding": withId(`sealed/${"A".repeat(43)}=`),
  "sealed: a clear name": withName("title"),
  "sealed: a name with an unused bit": withName(`${"A".repeat(21)}B`),
  "sealed: a clear name of metadata": sealed({ metadata: ["by"] }),
  "sealed: a clear value": withMembers({
    payload: { [first]: "Milk", [second]: "" },
    sealed: envelope,
  }),
  "sealed: a value that is no text": withMembers({
    payload: { [first]: null, [second]: "" },
    sealed: envelope,
  }),
  "sealed: a clear value of metadata": withMembers({ payload, ...metadata, [second]: "phone" }),
  "sealed: no envelope": withMembers({ payload }),
  "sealed: an envelope that is no text": withMembers({ payload, sealed: [envelope] }),
  "sealed: an envelope of another version": withEnvelope(`3.${keyId}.${bytes}`),
  "sealed: an envelope with a long key id": withEnvelope(`2.${keyId}AA.${bytes}`),
  "sealed: an envelope without a tag": withEnvelope(`2.${keyId}.${"A".repeat(52)}`),
  "sealed: an envelope with an unused bit": withEnvelope(`2.${keyId}.${bytes.slice(1)}B`),
  "sealed: an envelope of no whole bytes": withEnvelope(`2.${keyId}.${bytes}AAA`),
  "sealed: an envelope with padding": withEnvelope(`2.${keyId}.${bytes}==`),
  "sealed: a payload that is not sorted": withMembers({
    payload: { [second]: "", [first]: "" },
    sealed: envelope,
  }),
  "sealed: metadata that is not sorted": sealed(
    { metadata: both },
    { document: documentOf({ payload, [first]: "", [second]: "", sealed: envelope }) },
  ),
  "sealed: changed fields that are not sorted": sealed(
    { payload: both },
    { changedFields: [second, first] },
  ),
  "sealed: changed metadata fields that are not sorted": sealed(
    { metadata: both },
    { changedMetadataFields: [second, first] },
  ),
  "sealed: the envelope named as changed": sealed(
    { metadata: both },
    { changedMetadataFields: [first, "sealed", second] },
  ),
  "sealed: a create with a field that is not named as changed": sealed(
    { payload: both },
    { changedFields: [first] },
  ),
  "sealed: a patch with a field that it does not change": sealed(
    { kind: "patch", payload: both },
    { changedFields: [first] },
  ),
  "sealed: a tombstone with metadata that it does not change": sealed(
    { kind: "delete", metadata: both },
    { changedMetadataFields: [first] },
  ),
};
