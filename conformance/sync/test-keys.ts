/**
 * The keys of a sealed account under test. They follow from the account's password and their place in the list, so
 * that a later run can prove the key that an earlier one has added.
 */
import { createChecker } from "../../src/contract/check.ts";
import { KEY_HEADER } from "../../src/contract/sync/account-keys.ts";
import {
  AccountKeyList,
  AccountKeyResponse,
  type AccountKey,
} from "../../src/contract/sync/schemas.ts";
import { encodeBase64Url } from "../../src/rules/base64url.ts";
import { encodeUtf8, randomBytes, sha256 } from "../../src/rules/web-crypto.ts";
import { skipUnless } from "../case.ts";
import { createBodyExpectation, expectBody, expectStatus } from "../expect.ts";
import type { ReceivedResponse, SentHeaders } from "../http.ts";
import type { TestDevice } from "./device.ts";
import type { SyncInput } from "./input.ts";

const KEYS = "/v1/keys";
/** A nonce, a short text with its padding, and a tag, in whole groups of four characters. */
const SEALED_BYTES = 24 + 128 + 16;

export interface TestKey {
  readonly keyId: string;
  /** Proves the key. */
  readonly header: SentHeaders;
  /** The record of the key, which follows another one. */
  record(before: TestKey | null): AccountKey;
}

export interface TestKeys {
  readonly device: TestDevice;
  /** The account's key. */
  current(): TestKey;
  /** The key that comes next. */
  next(): Promise<TestKey>;
  list(): Promise<readonly AccountKey[]>;
  add(record: unknown, headers?: SentHeaders): Promise<ReceivedResponse>;
  /** The server has taken the next key. */
  moveTo(key: TestKey): void;
  /** Adds the next key, which the server must take, and returns the former one. */
  rotate(): Promise<TestKey>;
  push(operations: readonly unknown[], headers?: SentHeaders): Promise<ReceivedResponse>;
}

interface SealedServer {
  readonly input: SyncInput;
  device(): Promise<TestDevice>;
}

const expectList = createBodyExpectation(createChecker(AccountKeyList));
const keyResponse = createChecker(AccountKeyResponse);

/** The `keyId` of a response to a new record. */
export function expectKeyId(response: ReceivedResponse, status: number): string {
  expectStatus(response, status);
  return expectBody(response, keyResponse).keyId;
}

/** The account's keys; the first one is added to an account that has none. */
export async function openTestKeys(server: SealedServer): Promise<TestKeys> {
  skipUnless(server.input.profile === "sealed", "The instance does not have the profile sealed");
  const device = await server.device();
  const list = async () => expectList(await device.get(KEYS)).keys;
  const add = (record: unknown, headers: SentHeaders = {}) => device.post(KEYS, record, headers);
  let { length } = await list();
  if (length === 0) {
    const first = await createTestKey(server, 0);
    expectKeyId(await add(first.record(null)), 201);
    length = 1;
  }
  let current = await createTestKey(server, length - 1);
  const isKnown = (await list()).at(-1)?.keyId === current.keyId;
  skipUnless(isKnown, "The account has a key that the kit does not have: use another account");
  const next = () => createTestKey(server, length);
  const moveTo = (key: TestKey) => {
    current = key;
    length++;
  };
  return {
    device,
    current: () => current,
    next,
    list,
    add,
    moveTo,
    async rotate() {
      const [former, key] = [current, await next()];
      expectKeyId(await add(key.record(former), former.header), 201);
      moveTo(key);
      return former;
    },
    push: (operations, headers = current.header) =>
      device.post("/v1/push", { operations }, headers),
  };
}

/** An envelope as if it was sealed under the key: a server cannot tell random bytes from sealed ones. */
export function randomEnvelope(keyId: string, moreGroups = 0): string {
  const sealed = encodeBase64Url(randomBytes(SEALED_BYTES));
  return `2.${keyId}.${sealed}${"AAAA".repeat(moreGroups)}`;
}

async function createTestKey(server: SealedServer, position: number): Promise<TestKey> {
  const { username, password } = server.input;
  const derive = (use: string) =>
    sha256(encodeUtf8(["trellis conformance", use, username, password, position].join("\n")));
  const keyId = encodeBase64Url((await derive("key id")).subarray(0, 16));
  const secret = await derive("write secret");
  const write = encodeBase64Url(await sha256(secret));
  return {
    keyId,
    header: { [KEY_HEADER]: `${keyId}.${encodeBase64Url(secret)}` },
    record: (before) => ({
      keyId,
      write,
      keys: randomEnvelope(keyId),
      ...(before !== null && { from: randomEnvelope(before.keyId) }),
    }),
  };
}
