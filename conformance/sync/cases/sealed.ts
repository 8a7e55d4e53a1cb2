/** The profile `sealed`: the kit seals nothing, because a server cannot tell random bytes from sealed ones. */
import {
  KEY_ENTITY_ID,
  MAX_SEALED_OPERATION_BYTES,
} from "../../../src/contract/sync/operation-limits.ts";
import type { Operation } from "../../../src/contract/sync/operation.ts";
import { encodeBase64Url } from "../../../src/rules/base64url.ts";
import { randomBytes } from "../../../src/rules/web-crypto.ts";
import { skipUnless } from "../../case.ts";
import { expectEach, expectSame } from "../../expect.ts";
import { valuesOf, type TestDevice } from "../device.ts";
import { expectError } from "../expectations.ts";
import { createOperation, expectRefused, type OperationOptions } from "../operations.ts";
import { syncCases, type SyncServerUnderTest } from "../server-under-test.ts";

const SECTION = "Trellis decision, sync service: the profile sealed";
const random = (bytes: number) => encodeBase64Url(randomBytes(bytes));
/** A nonce, a ciphertext and a tag, in whole groups of four characters. */
const sealedValue = (moreGroups = 0) =>
  `1.${random(6)}.${random(24 + 65 + 16)}${"AAAA".repeat(moreGroups)}`;

function sealedFields(count: number): Record<string, string> {
  const names = Array.from({ length: count }, () => random(16)).toSorted();
  return Object.fromEntries(names.map((name) => [name, sealedValue()]));
}

function sealed(server: SyncServerUnderTest, options: Partial<OperationOptions> = {}): Operation {
  const { kind = "create" } = options;
  return createOperation({
    deviceId: server.newId("device"),
    entityId: server.newSealedId(),
    payload: sealedFields(2),
    metadata: kind === "patch" ? {} : sealedFields(1),
    ...options,
  });
}

function sealedDevice(server: SyncServerUnderTest): Promise<TestDevice> {
  skipUnless(server.input.profile === "sealed", "The instance does not have the profile sealed");
  return server.device();
}

export const SEALED_CASES = syncCases({
  "sealed-operations-come-back-unchanged": {
    title: "A sealed operation of any kind is stored, pulled and merged without a change",
    section: SECTION,
    async run(server) {
      const device = await sealedDevice(server);
      const create = sealed(server);
      const { entityId } = create.document;
      const patch = sealed(server, { kind: "patch", sequence: 2, entityId });
      const { cursor } = await device.storeOne(create);
      await device.storeOne(patch);
      const pulled = await device.pullAll(cursor, patch.revision.deviceId);
      expectSame("GET /v1/pull", "operations", pulled, [patch]);
      const { payloadFields } = await device.entity(entityId);
      const payload = { ...create.document.payload, ...patch.document.payload };
      expectSame("GET /v1/snapshot", "payload", valuesOf(payloadFields), payload);
      await device.storeOne(sealed(server, { kind: "delete", sequence: 3, entityId }));
      await device.storeOne(sealed(server, { kind: "restore", sequence: 4, entityId }));
    },
  },
  "clear-operations-are-refused": {
    title: "An operation with anything in clear text, or in another spelling, is refused",
    section: SECTION,
    async run(server) {
      const device = await sealedDevice(server);
      await expectEach(listUnsealed(server), async (operation) => {
        const response = await device.push([operation]);
        expectError(response, "invalid_sync_operation");
        expectRefused(response, [{ index: 0, code: "not_sealed" }]);
      });
    },
  },
  "sealed-operations-have-bounds": {
    title: "A sealed operation may have 160 KiB, also in one value, and no more",
    section: SECTION,
    async run(server) {
      const device = await sealedDevice(server);
      const { maxBodyBytes } = await server.limits();
      const reason = `The instance takes bodies of ${maxBodyBytes} bytes`;
      skipUnless(maxBodyBytes > MAX_SEALED_OPERATION_BYTES + 1024, reason);
      const sized = (groups: number) =>
        sealed(server, { payload: { [random(16)]: sealedValue(groups) } });
      const size = JSON.stringify(sized(0)).length;
      const groups = Math.floor((MAX_SEALED_OPERATION_BYTES - size) / 4);
      // The next id of the run may have a digit more.
      await device.storeOne(sized(groups - 1));
      const response = await device.push([sized(groups + 2)]);
      expectError(response, "invalid_sync_operation");
      expectRefused(response, [{ index: 0, code: "too_large" }]);
    },
  },
  "key-entity-is-created-once": {
    title: "A second create of the key entity is refused, and a repetition of the first is not",
    section: SECTION,
    async run(server) {
      const device = await sealedDevice(server);
      const key = () => sealed(server, { entityId: KEY_ENTITY_ID, metadata: {} });
      // An earlier run may have created it.
      const first = key();
      const isFirst = (await device.push([first])).status === 200;
      const response = await device.push([sealed(server), key()]);
      expectError(response, "invalid_sync_operation");
      expectRefused(response, [{ index: 1, code: "key_exists" }]);
      if (!isFirst) return;
      const { duplicate } = await device.storeOne(first);
      expectSame("POST /v1/push of the first again", "duplicate", duplicate, true);
    },
  },
});

/** Operations that differ from a sealed one in one place. */
function listUnsealed(server: SyncServerUnderTest): unknown[] {
  const value = sealedValue();
  const [name = ""] = Object.keys(sealedFields(1));
  const withField = (field: string, content: unknown) =>
    sealed(server, { payload: { [field]: content } });
  const two = sealed(server, { metadata: sealedFields(2) });
  const { payload = {} } = two.document;
  const [first = ""] = Object.keys(payload);
  return [
    createOperation({ deviceId: server.newId("device"), entityId: "setting/theme" }),
    sealed(server, { entityId: `sealed/${"A".repeat(42)}` }),
    sealed(server, { entityId: `sealed/${"A".repeat(42)}B` }),
    withField("title", value),
    withField(`${"A".repeat(21)}B`, value),
    sealed(server, { metadata: { updatedAt: value } }),
    sealed(server, { metadata: { [name]: "2026-01-31" } }),
    withField(name, "Milk"),
    withField(name, [value]),
    withField(name, value.replace("1.", "2.")),
    withField(name, `1.AAAAAAAA.${"A".repeat(53)}B`),
    withField(name, `1.AAAAAAAA.${"A".repeat(52)}`),
    withField(name, `${value}=`),
    { ...two, changedFields: two.changedFields.toReversed() },
    { ...two, changedMetadataFields: two.changedMetadataFields.toReversed() },
    { ...two, document: { ...two.document, payload: reversed(payload) } },
    sealed(server, { kind: "patch", payload, changedFields: [first] }),
  ];
}

function reversed(fields: object): object {
  return Object.fromEntries(Object.entries(fields).toReversed());
}
