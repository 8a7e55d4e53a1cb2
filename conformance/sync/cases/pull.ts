import type { Operation } from "../../../src/contract/sync/operation.ts";
import { INSIDE_PUSH, PAGE_HEADER } from "../../../src/contract/sync/page-header.ts";
import { DEFAULT_PULL_LIMIT } from "../../../src/contract/sync/values.ts";
import { skipUnless } from "../../case.ts";
import {
  describeResponse,
  expectEach,
  expectHeader,
  expectHeaderMatch,
  expectSame,
  fail,
} from "../../expect.ts";
import { encodeCursor, encodeText, OTHER_MARK, parseCursor } from "../cursor.ts";
import { requireCorsOrigin } from "../requests.ts";
import { JSON_BODY, type TestDevice } from "../device.ts";
import { expectErrorAt, expectPage, expectReceipts } from "../expectations.ts";
import { createOperation, deviceForBatch, freshOperation, newEntity } from "../operations.ts";
import { syncCases, type SyncServerUnderTest } from "../server-under-test.ts";

const VALUES =
  '{"big":12345678901234567890,"exact":1.0,"power":1e2,"tiny":1E-400,"text":"\\u00e9\\/é","z":1,"a":[ ]}';

export const PULL_CASES = syncCases({
  "pull-answers-exactly-its-members": {
    title: "A page has exactly its members, and no reason to recover when nothing is wrong",
    section: "sync contract, GET /v1/pull; Trellis decision, sync service: its body",
    async run(server) {
      const device = await server.device();
      const receipt = await device.storeOne(freshOperation(server));
      const first = await device.pull({ limit: 1 });
      const after = await device.pull({ cursor: receipt.cursor });
      await expectEach([first, after], ({ requiresSnapshot, recoveryReason }) => {
        const none = { requiresSnapshot: false, recoveryReason: "none" };
        expectSame("GET /v1/pull", "page", { requiresSnapshot, recoveryReason }, none);
      });
      expectSame("GET /v1/pull?limit=1", "number of operations", first.operations.length, 1);
      if (after.headOffset < receipt.offset) {
        fail("GET /v1/pull", `a head at or above ${receipt.offset}`, String(after.headOffset));
      }
    },
  },
  "pull-pages-reach-the-head": {
    title:
      "Page after page every operation comes once and in order, until the cursor is at the head",
    section: "sync contract, GET /v1/pull; Trellis decision, sync service: more pages",
    async run(server) {
      const device = await server.device();
      const deviceId = server.newId("device");
      let { cursor } = await device.storeOne(freshOperation(server));
      const operations = Array.from({ length: 9 }, (_, index) =>
        createOperation({ deviceId, sequence: index + 1, entityId: server.newSetting() }),
      );
      let last = cursor;
      for (const operation of operations) last = (await device.storeOne(operation)).cursor;
      const asked = "GET /v1/pull, two at a time";
      const seen: Operation[] = [];
      for (let count = 0; ; count++) {
        const page = await device.pull({ cursor, limit: 2 });
        if (page.operations.length > 2)
          fail(asked, "two operations", String(page.operations.length));
        seen.push(...(page.operations as Operation[]));
        const { offset } = parseCursor(asked, page.cursor);
        if (offset > page.headOffset) fail(asked, "a cursor up to the head", String(offset));
        if (offset === page.headOffset) break;
        if (page.cursor === cursor || count > 500) fail(asked, "a page further", "the same cursor");
        cursor = page.cursor;
      }
      const mine = seen.filter(({ revision }) => revision.deviceId === deviceId);
      expectSame(asked, "operations", mine, operations);
      const rest = await device.pullAll(last, deviceId);
      expectSame("GET /v1/pull after the last receipt", "operations", rest, []);
    },
  },
  "pull-begins-at-the-beginning": {
    title:
      "Without a cursor the first page is the beginning, and the pages from there hold everything",
    section: "sync contract, Pull request and response: omit for the first page",
    async run(server) {
      const device = await server.device();
      const { maxPullOperations: limit } = await server.limits();
      const operation = freshOperation(server);
      const receipt = await device.storeOne(operation);
      const first = await device.pull({ limit });
      const isShort = first.headOffset <= 20 * limit;
      skipUnless(isShort, "The log is too long to be read from its beginning");
      const rest = await device.pullAll(first.cursor);
      const all = [...(first.operations as Operation[]), ...rest];
      const ids = all.map(({ operationId }) => operationId);
      const asked = "GET /v1/pull from the beginning";
      expectSame(asked, "repeated operations", ids.length - new Set(ids).size, 0);
      if (!ids.includes(operation.operationId)) {
        fail(asked, `the operation at ${receipt.offset}`, "none");
      }
    },
  },
  "pages-end-with-pushes": {
    title:
      "A page ends at the end of a push where its limit allows: no device sees a part of a transaction",
    section: "Trellis decision, sync service: pages and pushes",
    async run(server) {
      const device = await deviceForBatch(server, PUSH);
      const { maxPullOperations } = await server.limits();
      skipUnless(
        maxPullOperations > PUSH,
        "The instance allows no page that is longer than a push",
      );
      const { before, ids } = await storePushes(server, device, 3);
      const asked = `GET /v1/pull?limit=${PUSH + 1}`;
      await readPages(device, before, PUSH + 1, asked, (page) => {
        for (const push of ids) {
          const count = push.filter((id) => idsOf(page).includes(id)).length;
          if (count % PUSH !== 0)
            fail(asked, "pushes of this size as a whole", `${count} of ${PUSH}`);
        }
      });
    },
  },
  "pages-inside-a-push-say-so": {
    title: `A page that must end inside a push has ${PAGE_HEADER}: ${INSIDE_PUSH}, and no other page has it`,
    section: "Trellis decision, sync service: pages and pushes",
    async run(server) {
      const device = await deviceForBatch(server, PUSH);
      const { before, ids } = await storePushes(server, device, 2);
      const asked = "GET /v1/pull?limit=1";
      await readPages(device, before, 1, asked, (page, header) => {
        const [id = ""] = idsOf(page);
        const index = ids.find((push) => push.includes(id))?.indexOf(id);
        if (index === undefined) return;
        const expected = index < PUSH - 1 ? INSIDE_PUSH : undefined;
        expectSame(asked, PAGE_HEADER, header, expected);
      });
      const whole = await device.get(`/v1/pull?cursor=${before}`);
      expectHeader(whole, PAGE_HEADER, undefined);
    },
  },
  "page-header-can-be-read-by-configured-origins": {
    title: `Scripts of a configured origin may read ${PAGE_HEADER}`,
    section: "Trellis decision, sync service: pages and pushes, CORS",
    async run(server) {
      const Origin = requireCorsOrigin(server);
      const device = await server.device();
      const response = await device.get("/v1/pull?limit=1", { Origin });
      const pattern = new RegExp(`(?:^|,)\\s*${PAGE_HEADER}\\s*(?:,|$)`, "i");
      expectHeaderMatch(response, "Access-Control-Expose-Headers", pattern, PAGE_HEADER);
    },
  },
  "pull-has-a-default-limit": {
    title: "Without a limit a page has 100 operations, or less where the instance allows less",
    section: "Trellis decision, sync service: limit, default 100",
    async run(server) {
      const device = await server.device();
      const limits = await server.limits();
      const size = Math.min(DEFAULT_PULL_LIMIT, limits.maxPullOperations);
      const { operation } = newEntity(server);
      const { cursor } = await device.storeOne(freshOperation(server));
      // Small pushes, of which nearly as many fit as are asked for: a page ends at the end of one.
      const length = Math.min(10, limits.maxPushOperations);
      for (let stored = 0; stored <= size; stored += length) {
        const operations = Array.from({ length }, (_, index) => operation(stored + index + 1));
        await device.store(...operations);
      }
      const { operations } = await device.pull({ cursor });
      // Other devices of the account may have pushed in between.
      const { operations: expected } = await device.pull({ cursor, limit: size });
      const asked = "GET /v1/pull without a limit";
      expectSame(asked, "number of operations", operations.length, expected.length);
    },
  },
  "pushed-operations-come-back-unchanged": {
    title:
      "An operation is sent to every device byte for byte as it was pushed, large numbers and unknown fields too",
    section: "Trellis decision, sync service: unknown further fields are kept untouched",
    async run(server) {
      const device = await server.device();
      const plain = freshOperation(server);
      const text = JSON.stringify(plain)
        .replace('"value":1', `"value":${VALUES}`)
        .replace('"deleted":false', '"note":{"n":9007199254740993},"deleted":false')
        .replace('"changedMetadataFields":[]', '"changedMetadataFields":["note"]');
      const headers = { ...JSON_BODY, ...device.bearer };
      const { cursor } = await device.storeOne(freshOperation(server));
      const body = `{"operations":[${text}]}`;
      expectReceipts(await server.api.send("POST", "/v1/push", headers, body));
      const { maxPullOperations: limit } = await server.limits();
      const response = await device.get(`/v1/pull?cursor=${cursor}&limit=${limit}`);
      expectPage(response);
      if (!response.text().includes(text)) {
        fail(response, `the operation as it was pushed, ${text}`, describeResponse(response));
      }
      const snapshot = await device.get("/v1/snapshot");
      if (!snapshot.text().includes(`"value":${VALUES}`)) {
        fail(snapshot, "the value as it was pushed", "another spelling of it");
      }
    },
  },
  "malformed-cursors-are-refused": {
    title: "A cursor that no server wrote, or in another spelling, is invalid_cursor",
    section: "Trellis decision, sync service: cursor",
    async run(server) {
      const device = await server.device();
      const { cursor } = await device.storeOne(freshOperation(server));
      const { generation, offset, mark } = parseCursor("POST /v1/push", cursor);
      const encode = (value: unknown) => encodeText(JSON.stringify(value));
      const wrong = [
        "",
        "0",
        "none",
        "%00",
        `${cursor}=`,
        `${cursor}A`,
        cursor.slice(0, -3),
        encodeText("{}"),
        encodeText("[]"),
        encodeText(String(offset)),
        encode({ generation, offset, mark, version: 1 }),
        encode({ version: 1, generation, offset, mark, extra: 1 }),
        encode({ version: 2, generation, offset, mark }),
        encode({ version: 1, generation, offset: -1, mark }),
        encode({ version: 1, generation, offset: 1.5, mark }),
        encode({ version: 1, generation, offset: String(offset), mark }),
        encode({ version: 1, generation: 1, offset, mark }),
        encode({ version: 1, generation, offset, mark: 1 }),
        encode({ version: 1, generation, offset, mark: "" }),
        encode({ version: 1, generation, mark, offset }),
        encodeText(
          `{"version":1, "generation":"${generation}","offset":${offset},"mark":"${mark}"}`,
        ),
        encodeText(
          `{"version":1,"generation":"${generation}","offset":99999999999999999,"mark":"${mark}"}`,
        ),
        "A".repeat(1000),
      ];
      const paths = wrong.map((text) => `/v1/pull?cursor=${text}`);
      await expectErrorAt(device, "invalid_cursor", paths);
    },
  },
  "cursors-of-another-generation-start-anew": {
    title:
      "A cursor from before the store was restored answers generation_changed, no operations and the head",
    section:
      "sync contract, Pull: a stable recovery reason; Trellis decision, sync service: recoveryReason",
    async run(server) {
      const device = await server.device();
      await device.store(freshOperation(server));
      const cursor = encodeCursor({ generation: "another", offset: 1, mark: OTHER_MARK });
      const asked = "GET /v1/pull with a cursor of another generation";
      const page = await expectRecovery(device, cursor, asked, "generation_changed");
      const { offset } = parseCursor("GET /v1/pull", page.cursor);
      expectSame("GET /v1/pull", "offset of the cursor", offset, page.headOffset);
    },
  },
  "cursors-ahead-start-anew": {
    title: "A cursor beyond the head answers cursor_ahead, no operations and the head",
    section:
      "sync contract, Pull: a stable recovery reason; Trellis decision, sync service: recoveryReason",
    async run(server) {
      const device = await server.device();
      const receipt = await device.storeOne(freshOperation(server));
      const { generation, offset, mark } = parseCursor("POST /v1/push", receipt.cursor);
      const cursor = encodeCursor({ generation, offset: offset + 1_000_000, mark });
      const asked = "GET /v1/pull with a cursor ahead";
      const page = await expectRecovery(device, cursor, asked, "cursor_ahead");
      const head = parseCursor("GET /v1/pull", page.cursor);
      const expected = { generation, offset: page.headOffset, mark: head.mark };
      expectSame(asked, "cursor", head, expected);
    },
  },
  "cursors-of-another-history-start-anew": {
    title:
      "A cursor with another mark than the commit at its offset has, or none, answers generation_changed",
    section: "Trellis decision, sync service: a cursor proves the history it has seen",
    async run(server) {
      const device = await server.device();
      const receipt = await device.storeOne(freshOperation(server));
      const place = parseCursor("POST /v1/push", receipt.cursor);
      const { generation, offset } = place;
      const cursors = [
        encodeCursor({ ...place, mark: OTHER_MARK }),
        encodeText(JSON.stringify({ version: 1, generation, offset })),
      ];
      await expectEach(cursors, async (cursor) => {
        const asked = `GET /v1/pull?cursor=${cursor}`;
        const page = await expectRecovery(device, cursor, asked, "generation_changed");
        const head = parseCursor(asked, page.cursor);
        expectSame(asked, "offset of the cursor", head.offset, page.headOffset);
        const next = await device.pull({ cursor: page.cursor });
        expectSame("GET /v1/pull from there", "reason", next.recoveryReason, "none");
      });
    },
  },
  "cursors-inside-a-push-continue": {
    title:
      "All cursors inside one push have its mark, from receipts, replays and pages, and the log goes on from each",
    section: "Trellis decision, sync service: the mark of the commit that its offset belongs to",
    async run(server) {
      const device = await deviceForBatch(server, 3);
      const deviceId = server.newId("device");
      const [before] = await device.store(freshOperation(server));
      const operations = [1, 2, 3].map((sequence) =>
        createOperation({ deviceId, sequence, entityId: server.newSetting() }),
      );
      const receipts = await device.store(...operations);
      await device.store(freshOperation(server));
      const again = await device.store(...operations);
      const cursorsOf = (list: typeof receipts) => list.map(({ cursor }) => cursor);
      expectSame("POST /v1/push, again", "cursors", cursorsOf(again), cursorsOf(receipts));
      const marks = receipts.map(({ cursor }) => parseCursor("POST /v1/push", cursor).mark);
      expectSame("POST /v1/push", "marks of one push", new Set(marks).size, 1);
      const asked = "GET /v1/pull, one at a time";
      let cursor = before?.cursor ?? "";
      for (let count = 0; cursor !== receipts.at(-1)?.cursor; count++) {
        const page = await device.pull({ cursor, limit: 1 });
        expectSame(asked, "reason", page.recoveryReason, "none");
        // Other cases may push at the same time.
        const { offset } = parseCursor(asked, page.cursor);
        const known = receipts.find((receipt) => receipt.offset === offset);
        if (known !== undefined) expectSame(asked, "cursor", page.cursor, known.cursor);
        if (count > 500) fail(asked, "the cursor of the last receipt", page.cursor);
        cursor = page.cursor;
      }
    },
  },
});

/** The number of operations in a push of these cases. */
const PUSH = 3;

/** Stores pushes; `before` is the cursor before them, and `ids` those of their operations. */
async function storePushes(server: SyncServerUnderTest, device: TestDevice, count: number) {
  const { cursor: before } = await device.storeOne(freshOperation(server));
  const ids: string[][] = [];
  const deviceId = server.newId("device");
  for (let push = 0; push < count; push++) {
    const operations = Array.from({ length: PUSH }, (_, index) =>
      createOperation({
        deviceId,
        sequence: push * PUSH + index + 1,
        entityId: server.newSetting(),
      }),
    );
    await device.store(...operations);
    ids.push(operations.map(({ operationId }) => operationId));
  }
  return { before, ids };
}

type Page = Awaited<ReturnType<TestDevice["pull"]>>;

function idsOf({ operations }: Page): string[] {
  return (operations as Operation[]).map(({ operationId }) => operationId);
}

/** Other cases may push meanwhile, so the pages are read to where the head was. */
async function readPages(
  device: TestDevice,
  start: string,
  limit: number,
  asked: string,
  check: (page: Page, header: string | undefined) => void,
): Promise<void> {
  const { headOffset: end } = await device.pull({ cursor: start, limit: 1 });
  let cursor = start;
  for (let count = 0; count < MAX_PAGES; count++) {
    const response = await device.get(`/v1/pull?cursor=${cursor}&limit=${limit}`);
    const page = expectPage(response);
    check(page, response.header(PAGE_HEADER));
    if (page.cursor === cursor || parseCursor(asked, page.cursor).offset >= end) return;
    cursor = page.cursor;
  }
  fail(asked, "the head", `none among ${MAX_PAGES} pages`);
}

const MAX_PAGES = 500;

/** Returns the page, which has no operations and names the reason. */
async function expectRecovery(
  device: TestDevice,
  cursor: string,
  asked: string,
  reason: string,
): ReturnType<TestDevice["pull"]> {
  const page = await device.pull({ cursor });
  const { operations, requiresSnapshot, recoveryReason } = page;
  const expected = { operations: [], requiresSnapshot: true, recoveryReason: reason };
  expectSame(asked, "page", { operations, requiresSnapshot, recoveryReason }, expected);
  return page;
}
