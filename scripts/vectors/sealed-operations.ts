/** Operations of the profile `sealed`: what looks sealed, and what breaks its grammar. */
import {
  KEY_ENTITY_ID,
  MAX_SEALED_OPERATION_BYTES,
} from "../../src/contract/sync/operation-limits.ts";
import {
  createSealedOperation,
  sealedName,
  sealedValue,
  type SealedOperationOptions,
} from "../../test/fixtures/sealed-operation.ts";
import { FILL, note, type OperationInput } from "./operation-inputs.ts";

function sealed(options: SealedOperationOptions = {}, changes: object = {}): OperationInput {
  const operation = { ...createSealedOperation(options), ...changes };
  return { profile: "sealed", text: JSON.stringify(operation) };
}

const [first, second] = ["AAAAAAAAAAAAAAAAAAAAAA", "BAAAAAAAAAAAAAAAAAAAAA"] as const;
const value = sealedValue("a");
const both = { [first]: value, [second]: value };
const bytes = "A".repeat(54);
const withId = (entityId: string) => sealed({ entityId });
const withName = (name: string) => sealed({ payload: { [name]: value } });
const withValue = (other: unknown) => sealed({ payload: { [first]: other } });

/** So many bytes in all, in one value. */
function sized(size: number): OperationInput {
  const { text } = withValue(`1.AAAAAAAA.${bytes}${FILL}`);
  const times = size - (text.length - FILL.length);
  return { profile: "sealed", text, fill: { text: "A", times } };
}

/** The largest size that a value of whole bytes gives; one character more is one byte of its content. */
const largest = [0, 1, 2, 3]
  .map((less) => sized(MAX_SEALED_OPERATION_BYTES - less))
  .find(({ fill }) => ((fill?.times ?? 0) + bytes.length) % 4 === 0) as OperationInput;

export const SEALED_INPUTS: Record<string, OperationInput> = {
  "sealed: a create": sealed(),
  "sealed: a patch": sealed({ kind: "patch" }),
  "sealed: a tombstone": sealed({ kind: "delete" }),
  "sealed: a restore": sealed({ kind: "restore" }),
  "sealed: the key entity": sealed({ entityId: KEY_ENTITY_ID, metadata: {} }),
  "sealed: the shortest value": withValue(`1.AAAAAAAA.${bytes}`),
  "sealed: the largest operation": largest,
  "sealed: more than the largest": sized(MAX_SEALED_OPERATION_BYTES + 1),
  "sealed: a clear operation": { profile: "sealed", text: JSON.stringify(note) },
  "sealed: an entity id of 31 bytes": withId(`sealed/${"A".repeat(42)}`),
  "sealed: an entity id with an unused bit": withId(`sealed/${"A".repeat(42)}B`),
  "sealed: an entity id with padding": withId(`sealed/${"A".repeat(43)}=`),
  "sealed: a clear name": withName("title"),
  "sealed: a name with an unused bit": withName(`${"A".repeat(21)}B`),
  "sealed: a clear name of metadata": sealed({ metadata: { by: value } }),
  "sealed: a clear value": withValue("Milk"),
  "sealed: a value that is no text": withValue(7),
  "sealed: a value of another version": withValue(`2.AAAAAAAA.${bytes}`),
  "sealed: a value with a long key id": withValue(`1.AAAAAAAAA.${bytes}`),
  "sealed: a value without a tag": withValue(`1.AAAAAAAA.${"A".repeat(52)}`),
  "sealed: a value with an unused bit": withValue(`1.AAAAAAAA.${bytes.slice(1)}B`),
  "sealed: a value of no whole bytes": withValue(`1.AAAAAAAA.${bytes}AAA`),
  "sealed: a value with padding": withValue(`1.AAAAAAAA.${bytes}==`),
  "sealed: a payload that is not sorted": sealed(
    { payload: both },
    { document: unsorted({ payload: reversed(both) }) },
  ),
  "sealed: metadata that is not sorted": sealed(
    { metadata: both },
    { document: unsorted(reversed(both)) },
  ),
  "sealed: changed fields that are not sorted": sealed(
    { payload: both },
    { changedFields: [second, first] },
  ),
  "sealed: changed metadata fields that are not sorted": sealed(
    { metadata: both },
    { changedMetadataFields: [second, first] },
  ),
  "sealed: a patch with a field that it does not change": sealed({
    kind: "patch",
    payload: both,
    changedFields: [first],
  }),
};

function reversed(fields: object): object {
  return Object.fromEntries(Object.entries(fields).toReversed());
}

/** The document of an operation, with members in this order. */
function unsorted(members: object): object {
  const { payload, schemaVersion, entityId, deleted } = createSealedOperation().document;
  const rest = "payload" in members ? { [sealedName("")]: sealedValue("phone 1") } : { payload };
  return { schemaVersion, entityId, deleted, ...rest, ...members };
}
