import assert from "node:assert/strict";
import { test } from "node:test";
import { createParsedOperation } from "../../../test/fixtures/sync-operation.ts";
import { scanOperation } from "../../rules/sync/operation-text.ts";
import type { DeviceEncryption } from "../sync/encryption.ts";
import { toDataKey } from "./data-key.ts";
import { createEncryption, createMemoryKeyStore } from "./index.ts";
import { readRecoveryKey, toRecoveryKey } from "./recovery-key.ts";

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

/** As apps in JavaScript can call it. */
type AnyArguments<Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends (...args: infer Args) => infer Result
    ? (...args: [...Args, unknown?]) => Result
    : Methods[Name];
};

test("keys come from the platform's generator, whatever an app passes", () => {
  const loose: AnyArguments<DeviceEncryption> = createEncryption({
    keyStore: createMemoryKeyStore(),
    randomBytes: () => new Uint8Array(32),
  } as never);
  const zeros = () => new Uint8Array(32);
  const ids = [1, 2, 3].map(() => loose.createDataKey(zeros).id);
  assert.equal(new Set(ids).size, 3);
});

test("a recovery key gives a second device the account's keys, and they open its operations", () => {
  const first = createEncryption({ keyStore: createMemoryKeyStore() });
  const [old, key] = [first.createDataKey(), first.createDataKey()];
  const origin = { deviceId: "phone", at: "2026-01-31T12:00:00Z" };
  const list = [first.createKeyRecord(old, [], null), first.createKeyRecord(key, [old], origin)];
  const sealer = first.createSealer([old]);
  const text = sealer.seal(sealer.toNamed(createParsedOperation({ sequence: 2 })));
  const second = createEncryption({ keyStore: createMemoryKeyStore() });
  const entered = toDataKey(readRecoveryKey(toRecoveryKey(key.bytes)) ?? assert.fail());
  const keys = second.takeOverList(list, entered) ?? assert.fail();
  const form = second.createForm({ sealer: second.createSealer(keys), listedIds: new Set() });
  const result = second.validateSealed(scanOperation(text));
  assert.ok(result.kind === "valid" && form.isReadable(result.operation));
});
