/** The keys beside the log of a sealed account, and pushes that must prove the account's key. */
import { KEY_HEADER } from "../../../src/contract/sync/account-keys.ts";
import { expectEach, expectSame } from "../../expect.ts";
import { expectError, expectKeyConflict, expectReceipts } from "../expectations.ts";
import { expectRefused } from "../operations.ts";
import { syncCases } from "../server-under-test.ts";
import { expectKeyId, randomEnvelope, type TestKey } from "../test-keys.ts";
import { sealedOperation } from "./sealed.ts";

const SECTION = "Trellis decision, sync service: keys beside the log";

/** What proves nothing: no header, no proof, or the secret of another key. */
function listWrong({ keyId, header }: TestKey, other: TestKey) {
  const [, secret = ""] = (other.header[KEY_HEADER] ?? "").split(".");
  const texts = ["", keyId, `${keyId}.${secret}`, `${header[KEY_HEADER]}=`];
  return [{}, ...texts.map((text) => ({ [KEY_HEADER]: text })), other.header];
}

export const KEY_CASES = syncCases({
  "keys-follow-each-other": {
    title: "A new key is listed last and told with every page, and its record may be repeated",
    section: SECTION,
    run: (server) =>
      server.withKeys(async (keys) => {
        const { device, add, list } = keys;
        const before = await list();
        const [former, key] = [keys.current(), await keys.next()];
        const record = key.record(former);
        const added = await add(record, former.header);
        keys.moveTo(key);
        expectSame("POST /v1/keys", "keyId", expectKeyId(added, 201), key.keyId);
        for (const repeated of [record, before.at(-1)]) {
          const response = await add(repeated);
          const keyId = expectKeyId(response, 200);
          expectSame("POST /v1/keys of a known record", "keyId", keyId, key.keyId);
        }
        expectSame("GET /v1/keys", "keys", await list(), [...before, record]);
        expectSame("GET /v1/pull", "keyId", (await device.pull()).keyId, key.keyId);
      }),
  },
  "keys-need-the-proof-of-the-account-key": {
    title: "Only who proves the account's key adds one, and a former key is a conflict",
    section: SECTION,
    run: (server) =>
      server.withKeys(async (keys) => {
        const former = await keys.rotate();
        const [current, key] = [keys.current(), await keys.next()];
        const before = await keys.list();
        await expectEach(listWrong(current, key), async (header) => {
          expectError(await keys.add(key.record(current), header), "key_unknown");
        });
        const late = await keys.add(key.record(former), former.header);
        expectKeyConflict(late);
        expectKeyConflict(await keys.add(key.record(null)));
        const other = { ...current.record(former), write: key.record(null).write };
        expectKeyConflict(await keys.add(other, current.header));
        expectSame("GET /v1/keys", "keys", await keys.list(), before);
      }),
  },
  "key-records-are-checked": {
    title: "A record that is malformed, or does not follow the last one, is refused",
    section: SECTION,
    run: (server) =>
      server.withKeys(async (keys) => {
        const before = await keys.list();
        const [current, key] = [keys.current(), await keys.next()];
        const record = key.record(current);
        const { from: _, ...first } = record;
        const wrong = [
          first,
          { ...record, from: randomEnvelope(key.keyId) },
          { ...record, keys: randomEnvelope(current.keyId) },
          { ...record, keys: "" },
          { ...record, write: `${record.write}A` },
          { ...record, keyId: `${"A".repeat(21)}B` },
          { ...record, more: true },
        ];
        await expectEach(wrong, async (value) => {
          expectError(await keys.add(value, current.header), "invalid_request");
        });
        expectSame("GET /v1/keys", "keys", await keys.list(), before);
      }),
  },
  "pushes-need-the-proof-of-the-account-key": {
    title:
      "A push without the account's key, with a former one, or under an unknown key stores nothing",
    section: SECTION,
    run: (server) =>
      server.withKeys(async (keys) => {
        const { device, push } = keys;
        const early = sealedOperation(server, keys.current());
        const [receipt] = expectReceipts(await push([early])).receipts;
        const former = await keys.rotate();
        const [current, next] = [keys.current(), await keys.next()];
        const operation = sealedOperation(server, current);
        await expectEach(listWrong(current, next), async (header) => {
          expectError(await push([operation], header), "key_unknown");
        });
        for (const one of [operation, early]) {
          expectError(await push([one], former.header), "key_replaced");
        }
        const unknown = await push([operation, sealedOperation(server, next)]);
        expectError(unknown, "invalid_sync_operation");
        expectRefused(unknown, [{ index: 1, code: "key_unknown" }]);
        const { deviceId } = operation.revision;
        const stored = await device.pullAll(receipt?.cursor ?? "", deviceId);
        expectSame("GET /v1/pull", "operations", stored, []);
        // What was sealed under a former key is pushed by who proves the current one.
        expectReceipts(await push([early, sealedOperation(server, former), operation]));
      }),
  },
});
