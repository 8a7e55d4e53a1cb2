import { MAX_STREAMS_PER_DEVICE } from "../../../src/contract/sync/values.ts";
import {
  expectHeader,
  expectHeaderMatch,
  expectNoBody,
  expectSame,
  expectSoon,
  expectStatus,
  fail,
} from "../../expect.ts";
import { expectOtherMethodsRefused } from "../../http-cases.ts";
import { expectPreflightAllows } from "../../preflight.ts";
import { CHANGES, openStream, requireChanges, type ChangeStream } from "../changes.ts";
import type { TestDevice } from "../device.ts";
import { expectCapabilities, expectError } from "../expectations.ts";
import { freshOperation } from "../operations.ts";
import { FOREIGN_ORIGIN, requireCorsOrigin } from "../requests.ts";
import { syncCases, type SyncServerUnderTest } from "../server-under-test.ts";
import { postRefresh } from "../sign-in.ts";

const SECTION = "Trellis decision, sync service: live changes";

export const CHANGES_CASES = syncCases({
  "changes-are-announced": {
    title: "There is a stream of changes where the capabilities announce it, and nothing elsewhere",
    section: SECTION,
    async run(server) {
      const { sync } = expectCapabilities(await server.api.get("/v1/capabilities"));
      const device = await server.signIn();
      if (sync.changes === true) {
        (await openStream(server, device)).close();
        return;
      }
      const response = await server.api.open(CHANGES, device.bearer);
      response.close();
      expectError(response, "not_found");
    },
  },
  "changes-begin-with-the-head": {
    title: "A stream begins with the head: a cursor from which a pull goes on",
    section: SECTION,
    run: (server) =>
      withStreams(server, async (device, open) => {
        const { offset } = await device.storeOne(freshOperation(server));
        const stream = await open();
        expectHeaderMatch(stream.response, "Cache-Control", /\bno-store\b/, "no-store");
        const head = await stream.head();
        if (head.offset < offset) {
          fail(stream.response, `a head at ${offset} or later`, String(head.offset));
        }
        const page = await device.pull({ cursor: head.text });
        expectSame("GET /v1/pull from the head", "recoveryReason", page.recoveryReason, "none");
      }),
  },
  "changes-tell-of-a-push": {
    title: "Every stream of every device is told of a push, with a cursor at or after it",
    section: SECTION,
    run: (server) =>
      withStreams(server, async (device, open) => {
        const other = await server.signIn();
        const streams = [await open(), await open(), await open(other)];
        for (const stream of streams) await stream.head();
        for (const pushing of [device, other]) {
          const { offset } = await pushing.storeOne(freshOperation(server));
          await Promise.all(streams.map((stream) => stream.head(offset)));
        }
      }),
  },
  "changes-end-with-the-session": {
    title: "A stream ends soon after its device was revoked, and no other stream does",
    section: SECTION,
    run: (server) =>
      withStreams(server, async (device, open) => {
        const other = await server.signIn();
        const [stream, kept] = [await open(), await open(other)];
        await stream.head();
        expectStatus(await server.api.send("DELETE", "/v1/device", device.bearer), 200);
        await stream.ended();
        await kept.expectOpen();
      }),
  },
  "changes-outlive-other-requests": {
    title: "A stream stays open while its device sends other requests and refreshes its tokens",
    section: SECTION,
    run: (server) =>
      withStreams(server, async (device, open) => {
        const stream = await open();
        await stream.head();
        await device.pull();
        expectStatus(await postRefresh(server, device.tokens.refreshToken), 200);
        await stream.expectOpen();
        const { offset } = await device.storeOne(freshOperation(server));
        await stream.head(offset);
      }),
  },
  "changes-are-limited": {
    title:
      "A device may have four streams; a fifth is 429 with Retry-After, until one of them is closed",
    section: `${SECTION}, at most 4 streams a device`,
    run: (server) =>
      withStreams(server, async (device, open) => {
        const streams: ChangeStream[] = [];
        for (let count = 0; count < MAX_STREAMS_PER_DEVICE; count++) streams.push(await open());
        const refused = await server.api.open(CHANGES, device.bearer);
        refused.close();
        expectError(refused, "rate_limited");
        expectHeaderMatch(refused, "Retry-After", /^[1-9]\d*$/, "whole seconds");
        (await open(await server.signIn())).close();
        await Promise.all(streams.map((stream) => stream.expectOpen()));
        streams[0]?.close();
        await expectOpensAgain(server, device);
      }),
  },
  "changes-take-no-query": {
    title: "A stream needs a token, takes no query, and is there for GET and HEAD alone",
    section: `${SECTION}; sync contract, Authentication 5`,
    async run(server) {
      await requireChanges(server);
      const device = await server.device();
      const expectRefused = async (
        code: Parameters<typeof expectError>[1],
        path: string,
        headers: Readonly<Record<string, string>>,
      ) => {
        const response = await server.api.open(path, headers);
        response.close();
        expectError(response, code);
      };
      await expectRefused("invalid_access_token", CHANGES, {});
      await expectRefused("invalid_access_token", CHANGES, { Authorization: "Bearer trs_at_none" });
      await expectRefused("invalid_request", `${CHANGES}?cursor=x`, device.bearer);
      await expectRefused("cors_denied", CHANGES, { ...device.bearer, Origin: FOREIGN_ORIGIN });
      await expectOtherMethodsRefused(server, { [CHANGES]: ["GET", "HEAD"] });
    },
  },
  "changes-are-not-opened-by-head": {
    title: "HEAD answers with the headers of a stream, and opens none",
    section: `${SECTION}; Trellis decision, shared by all services: HEAD`,
    run: (server) =>
      withStreams(server, async (device, open) => {
        const stream = await open();
        for (let count = 1; count < MAX_STREAMS_PER_DEVICE; count++) {
          const head = await server.api.send("HEAD", CHANGES, device.bearer);
          expectStatus(head, 200);
          expectNoBody(head);
          expectHeader(head, "Content-Type", stream.response.header("Content-Type"));
        }
        for (let count = 1; count < MAX_STREAMS_PER_DEVICE; count++) await open();
      }),
  },
  "changes-can-be-read-by-configured-origins": {
    title: "Scripts of a configured origin may open a stream and read it",
    section: `${SECTION}; sync contract, Authentication 7`,
    run: (server) =>
      withStreams(server, async (device, open) => {
        const Origin = requireCorsOrigin(server);
        await expectPreflightAllows(server.api, Origin, CHANGES, "GET", ["authorization"]);
        const stream = await open(device, { Origin });
        expectHeader(stream.response, "Access-Control-Allow-Origin", Origin);
        await stream.head();
      }),
  },
});

/** A new device, and streams that are closed afterwards. */
async function withStreams(
  server: SyncServerUnderTest,
  work: (
    device: TestDevice,
    open: (
      device?: TestDevice,
      headers?: Readonly<Record<string, string>>,
    ) => Promise<ChangeStream>,
  ) => Promise<void>,
): Promise<void> {
  await requireChanges(server);
  const own = await server.signIn();
  const streams: ChangeStream[] = [];
  try {
    await work(own, async (device = own, headers = {}) => {
      const stream = await openStream(server, device, headers);
      streams.push(stream);
      return stream;
    });
  } finally {
    for (const stream of streams) stream.close();
  }
}

const OPEN_AGAIN_MS = 3000;

/** A server learns of a closed stream a moment later, and a proxy in front of it later still. */
function expectOpensAgain(server: SyncServerUnderTest, device: TestDevice): Promise<void> {
  return expectSoon(
    `GET ${CHANGES}`,
    "status 200 after one was closed",
    OPEN_AGAIN_MS,
    async () => {
      const response = await server.api.open(CHANGES, device.bearer);
      response.close();
      return response.status === 200;
    },
  );
}
