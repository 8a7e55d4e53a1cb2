import assert from "node:assert/strict";
import { test } from "node:test";
import { countedNonces } from "../../../test/fixtures/encryption-keys.ts";
import { createParsedOperation } from "../../../test/fixtures/sync-operation.ts";
import { parseOperation } from "../../rules/sync/operation-text.ts";
import type { AccountKeys, DeviceEncryption } from "../sync/encryption.ts";
import { createEncryption, createMemoryKeyStore } from "./index.ts";

test("without IndexedDB the app says where keys are kept", () => {
  assert.throws(
    () => createEncryption(),
    /^TypeError: There is no IndexedDB: give createEncryption/,
  );
});

test("wrong options of an app in JavaScript are named", () => {
  for (const options of [null, "folder", { keyStore: "folder" }, { keyStore: { read() {} } }]) {
    assert.throws(
      () => createEncryption(options as never),
      /^TypeError: Cannot create the encryption: (?:the options are no object|keyStore is not of create)/,
    );
  }
});

test("a server in the clear is refused unless the app allows it", () => {
  const keyStore = createMemoryKeyStore();
  assert.equal(createEncryption({ keyStore }).allowClearServer, false);
  assert.equal(createEncryption({ keyStore, allowClearServer: true }).allowClearServer, true);
});

/** As apps in JavaScript can call it. */
type AnyArguments<Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends (...args: infer Args) => infer Result
    ? (...args: [...Args, unknown?]) => Result
    : Methods[Name];
};

test("nonces come from the platform's generator, whatever an app passes", () => {
  const encryption = createEncryption({ keyStore: createMemoryKeyStore() });
  const keys = encryption.createAccountKeys(encryption.createDataKey());
  const revision = { deviceId: "phone", sequence: 1 };
  const loose: AnyArguments<DeviceEncryption> = encryption;
  const calls = [
    (nonces: unknown) => loose.createSealer(keys, nonces).seal(createParsedOperation()),
    (nonces: unknown) => loose.createKeyEntity(keys, revision, nonces),
    (nonces: unknown) => loose.extendKeyEntity(keys, revision, nonces),
    (nonces: unknown) => loose.rotateKeyEntity(keys, keys, revision, nonces),
  ];
  for (const call of calls) assert.notEqual(call(countedNonces()), call(countedNonces()));
});

test("a recovery key gives a second device the account's keys, and they open its operations", () => {
  const first = createEncryption({ keyStore: createMemoryKeyStore() });
  const keys = first.createAccountKeys(first.createDataKey());
  const created = first.createKeyEntity(keys, { deviceId: "phone", sequence: 1 });
  const text = first.createSealer(keys).seal(createParsedOperation({ sequence: 2 }));
  const second = createEncryption({ keyStore: createMemoryKeyStore() });
  const dataKey = second.readRecoveryKey(first.toRecoveryKey(keys.dataKey)) ?? assert.fail();
  const result = second.readKeyEntity([parseOperation(created)], dataKey);
  const read: AccountKeys = result.kind === "account-key" ? result.keys : assert.fail();
  assert.equal(second.createSealer(read).open(parseOperation(text)).kind, "opened");
});
