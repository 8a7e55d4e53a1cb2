/** The profile `sealed`: the kit seals nothing, because a server cannot tell random bytes from sealed ones. */
import { MAX_SEALED_OPERATION_BYTES } from "../../../src/contract/sync/operation-limits.ts";
import type { Operation } from "../../../src/contract/sync/operation.ts";
import { encodeBase64Url } from "../../../src/rules/base64url.ts";
import { randomBytes } from "../../../src/rules/web-crypto.ts";
import { skipUnless } from "../../case.ts";
import { expectEach, expectSame } from "../../expect.ts";
import { expectError, expectReceipts } from "../expectations.ts";
import { createOperation, expectRefused, type OperationOptions } from "../operations.ts";
import { syncCases, type SyncServerUnderTest } from "../server-under-test.ts";
import { randomEnvelope, type TestKey } from "../test-keys.ts";

const SECTION = "Trellis decision, sync service: the profile sealed";
const random = (bytes: number) => encodeBase64Url(randomBytes(bytes));

function opaqueFields(count: number): Record<string, string> {
  return Object.fromEntries(names(count).map((name) => [name, ""]));
}

const names = (count: number) => Array.from({ length: count }, () => random(16)).toSorted();

interface SealedOptions extends Partial<OperationOptions> {
  readonly envelope?: string;
}

/** An operation as if it was sealed under the key. */
export function sealedOperation(
  server: SyncServerUnderTest,
  { keyId }: Pick<TestKey, "keyId">,
  options: SealedOptions = {},
): Operation {
  const { envelope = randomEnvelope(keyId), ...content } = options;
  const { metadata = content.kind === "patch" ? {} : opaqueFields(1) } = content;
  const members = Object.entries({ ...metadata, sealed: envelope });
  return createOperation({
    deviceId: server.newId("device"),
    entityId: server.newSealedId(),
    payload: opaqueFields(2),
    changedMetadataFields: Object.keys(metadata),
    ...content,
    metadata: Object.fromEntries(members.toSorted(([a], [b]) => (a < b ? -1 : 1))),
  });
}

export const SEALED_CASES = syncCases({
  "sealed-operations-come-back-unchanged": {
    title: "A sealed operation of any kind is stored, pulled and shown whole, without a change",
    section: SECTION,
    run: (server) =>
      server.withKeys(async ({ device, current, push }) => {
        const store = async (operation: Operation) => {
          const { receipts } = expectReceipts(await push([operation]));
          return receipts[0]?.cursor ?? "";
        };
        const create = sealedOperation(server, current());
        const { entityId, payload = {} } = create.document;
        const [name = ""] = Object.keys(payload);
        const { deviceId } = create.revision;
        const change = (kind: "patch" | "delete" | "restore", sequence: number) => {
          const fields = kind === "patch" ? { [name]: "" } : opaqueFields(1);
          const content = { kind, sequence, entityId, deviceId, payload: fields };
          return sealedOperation(server, current(), content);
        };
        const cursor = await store(create);
        const [first, second] = [change("patch", 2), change("patch", 3)];
        for (const patch of [first, second]) await store(patch);
        const pulled = await device.pullAll(cursor, deviceId);
        expectSame("GET /v1/pull", "operations", pulled, [first, second]);
        const { operations } = await device.sealedEntity(entityId);
        expectSame("GET /v1/snapshot", "operations", operations, [create, second]);
        await store(change("delete", 4));
        await store(change("restore", 5));
      }),
  },
  "clear-operations-are-refused": {
    title: "An operation with anything in clear text, or in another spelling, is refused",
    section: SECTION,
    run: (server) =>
      server.withKeys(async ({ current, push }) => {
        await expectEach(listUnsealed(server, current()), async (operation) => {
          const response = await push([operation]);
          expectError(response, "invalid_sync_operation");
          expectRefused(response, [{ index: 0, code: "not_sealed" }]);
        });
      }),
  },
  "sealed-operations-have-bounds": {
    title: "A sealed operation may have 160 KiB, also in one value, and no more",
    section: SECTION,
    run: (server) =>
      server.withKeys(async ({ current, push }) => {
        const { maxBodyBytes } = await server.limits();
        const reason = `The instance takes bodies of ${maxBodyBytes} bytes`;
        skipUnless(maxBodyBytes > MAX_SEALED_OPERATION_BYTES + 1024, reason);
        const sized = (groups: number) => {
          const envelope = randomEnvelope(current().keyId, groups);
          return sealedOperation(server, current(), { envelope });
        };
        const size = JSON.stringify(sized(0)).length;
        const groups = Math.floor((MAX_SEALED_OPERATION_BYTES - size) / 4);
        // The next id of the run may have a digit more.
        expectReceipts(await push([sized(groups - 1)]));
        const response = await push([sized(groups + 2)]);
        expectError(response, "invalid_sync_operation");
        expectRefused(response, [{ index: 0, code: "too_large" }]);
      }),
  },
});

/** Operations that differ from a sealed one in one place. */
function listUnsealed(server: SyncServerUnderTest, key: TestKey): unknown[] {
  const envelope = randomEnvelope(key.keyId);
  const [name = ""] = names(1);
  const make = (options: SealedOptions) => sealedOperation(server, key, options);
  const withField = (field: string, content: unknown) => make({ payload: { [field]: content } });
  const two = make({ metadata: opaqueFields(2) });
  const { payload = {}, ...document } = two.document;
  const [first = ""] = Object.keys(payload);
  return [
    createOperation({ deviceId: server.newId("device"), entityId: "setting/theme" }),
    make({ entityId: `sealed/${"A".repeat(42)}` }),
    make({ entityId: `sealed/${"A".repeat(42)}B` }),
    withField("title", ""),
    withField(`${"A".repeat(21)}B`, ""),
    withField(name, "Milk"),
    withField(name, envelope),
    withField(name, null),
    make({ metadata: { updatedAt: "" } }),
    make({ metadata: { [name]: "2026-01-31" } }),
    make({ envelope: "" }),
    make({ envelope: envelope.replace("2.", "1.") }),
    make({ envelope: `${envelope}=` }),
    make({ envelope: `2.${key.keyId}.${"A".repeat(52)}` }),
    make({ envelope: `2.${key.keyId}.${"A".repeat(53)}B` }),
    make({ envelope: `2.AAAA.${envelope.split(".")[2]}` }),
    { ...two, changedMetadataFields: [...two.changedMetadataFields, "sealed"].toSorted() },
    { ...two, changedFields: two.changedFields.toReversed() },
    { ...two, changedMetadataFields: two.changedMetadataFields.toReversed() },
    { ...two, document: { ...document, payload: reversed(payload) } },
    make({ kind: "patch", payload, changedFields: [first] }),
    make({ kind: "delete", changedMetadataFields: [] }),
  ];
}

function reversed(fields: object): object {
  return Object.fromEntries(Object.entries(fields).toReversed());
}
