/** What a client makes of responses: generous, slow, failing and hostile ones. */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { driverCases } from "../../../drivers/check-driver.ts";
import type { ClientUnderTest } from "../../../drivers/client-under-test.ts";
import { drip } from "../../../drivers/drip.ts";
import { createEndlessReply } from "../../../drivers/endless-reply.ts";
import { jsonReply, type Reply } from "../../../drivers/loopback-service.ts";
import { expectEach, expectSame, fail } from "../../../expect.ts";
import {
  connect,
  createEvent,
  EVENTS_PATH,
  expectFailed,
  expectImportedIds,
  LAST_EVENT,
  listing,
  type EventsSync,
} from "../connected-app.ts";

const STATUS = "events contract, Errors: a status other than 200 fails the operation";
const RESPONSE = "events contract, Events response";

const LIST = JSON.stringify({ events: [LAST_EVENT] });

export const RESPONSE_CASES = driverCases({
  "token-is-sent-as-a-bearer-token": {
    title: "The token is in the header Authorization, and in no address",
    section: "events contract, Authentication 3",
    async run(client) {
      const app = connect(client);
      const { asked, requests } = await app.sync("a sync", listing([]));
      const [request] = requests;
      if (request === undefined) return fail(asked, `GET ${EVENTS_PATH}`, "no request");
      expectSame(request.asked.split("?")[0] ?? "", "method", request.method, "GET");
      const authorization = request.headers.get("Authorization");
      if (authorization !== `Bearer ${app.accessToken}`) {
        fail(asked, "Authorization: Bearer and the token", "another header, or none");
      }
      const isShown = requests.some((one) => one.asked.includes(app.accessToken));
      if (isShown) fail(asked, "no token in an address", "the token in an address");
    },
  },
  "unknown-members-are-ignored": {
    title: "Members of the response and of events that no client knows change nothing",
    section: `${RESPONSE}: unknown fields are ignored`,
    async run(client) {
      const event = createEvent({ color: "#ff0000", attachments: [{ name: "a.pdf" }], done: null });
      const more = { version: 9, next: null, events_total: 2, links: { self: "/api/events" } };
      const sync = await connect(client).sync("a sync of a list with unknown members", () =>
        jsonReply({ ...more, events: [event, LAST_EVENT], users: [{ id: 7 }] }),
      );
      expectImportedIds(sync, ["event-1", "last"]);
    },
  },
  "absent-events-are-an-empty-list": {
    title: "A response without events is an empty list, and no error",
    section: "events contract, Errors: an absent events field",
    async run(client) {
      const asked = "a sync of a response without events";
      expectImportedIds(await connect(client).sync(asked, () => jsonReply({})), []);
    },
  },
  "lists-without-a-content-type-are-read": {
    title: "A list is read whatever its Content-Type says",
    section: `${RESPONSE}: a JSON object`,
    run: (client) =>
      expectEach(
        [{}, { "Content-Type": "text/plain" }, { "Content-Type": "application/json" }],
        async (headers) => {
          const asked = `a sync of a list with ${JSON.stringify(headers)}`;
          const body = Buffer.from(LIST);
          const sync = await connect(client).sync(asked, () => ({ status: 200, headers, body }));
          expectImportedIds(sync, ["last"]);
        },
      ),
  },
  "slow-lists-are-read": {
    title: "A list that arrives in many small pieces is read",
    section: "events contract, Limits: 15 seconds",
    async run(client) {
      const sync = await connect(client).sync("a sync of a slow list", () => (response) => {
        void drip(response, LIST, { pieces: 50, pauseMs: 20 });
      });
      expectImportedIds(sync, ["last"]);
    },
  },
  "silent-service-is-given-up": {
    title: "A client gives up a service that sends nothing after 15 seconds",
    section: "events contract, Limits: 15 seconds",
    run: (client) => expectGivenUp(client, "a service that sends nothing", () => {}),
  },
  "dripping-service-is-given-up": {
    title:
      "A client gives up a list that has not ended after 15 seconds, although more of it comes",
    section: "events contract, Limits: 15 seconds",
    run: (client) =>
      expectGivenUp(client, "a list that does not end", (response) => {
        const pieces = TOO_LATE_MS / 100;
        void drip(response, " ".repeat(pieces), { pieces, pauseMs: 100 });
      }),
  },
  "other-statuses-fail": {
    title: "Any status but 200 fails the sync, whatever the body says",
    section: STATUS,
    run: (client) =>
      expectEach([201, 206, 400, 404, 500], async (status) => {
        const reply = jsonReply({ events: [LAST_EVENT] }, status);
        expectFailed(await connect(client).sync(`a sync with status ${status}`, () => reply));
      }),
  },
  "ended-token-needs-a-new-login": {
    title: "After 401 the person is asked to connect again, and the token is not sent any more",
    section: "events contract, Authentication 4",
    async run(client) {
      const sync = await syncWith(client, "status 401", jsonReply({ error: "invalid_token" }, 401));
      expectFailed(sync, "reconnect-needed");
      expectSame(sync.asked, "number of requests", sync.requests.length, 1);
    },
  },
  "throttled-sync-is-not-repeated": {
    title: "After 429 the sync fails, and asks nothing more",
    section: STATUS,
    async run(client) {
      const reply = { status: 429, headers: { "Retry-After": "60" }, body: "" };
      const sync = await syncWith(client, "status 429", reply);
      expectFailed(sync);
      expectSame(sync.asked, "number of requests", sync.requests.length, 1);
    },
  },
  "redirects-are-not-followed": {
    title: "A redirect is a failure: the token goes to no other address",
    section: `${STATUS}; Authentication 5`,
    run: (client) =>
      expectEach([301, 302, 307], async (status) => {
        const sync = await connect(client).sync(`a sync with status ${status}`, ({ path }) =>
          path === EVENTS_PATH
            ? { status, headers: { Location: "/elsewhere" }, body: "" }
            : jsonReply({ events: [LAST_EVENT] }),
        );
        const followed = sync.requests.find(({ path }) => path !== EVENTS_PATH);
        if (followed !== undefined) fail(sync.asked, "no redirect followed", followed.asked);
        expectFailed(sync);
      }),
  },
  "malformed-lists-fail": {
    title: "A body that is no JSON object with a list fails the sync",
    section: `${RESPONSE}: a JSON object with an array of events`,
    run: (client) =>
      expectEach(
        [
          "",
          "<!doctype html><title>Sign in</title>",
          '{"events":[',
          `[${JSON.stringify(LAST_EVENT)}]`,
          "null",
          "7",
          '{"events":{"0":{}}}',
          '{"events":"none"}',
        ],
        async (body) => {
          expectFailed(
            await syncWith(client, `the body ${body || "of no bytes"}`, { status: 200, body }),
          );
        },
      ),
  },
  "broken-connections-fail": {
    title: "A connection that ends in the middle of the list fails the sync",
    section: STATUS,
    async run(client) {
      const sync = await syncWith(client, "a list that breaks off", (response) => {
        response.writeHead(200, { "Content-Length": String(2 * LIST.length) });
        response.write(LIST, () => response.destroy());
      });
      expectFailed(sync);
    },
  },
  "endless-list-is-refused": {
    title: "A client stops reading a list that is far longer than 500 events",
    section: "Trellis decision, events client: a response has at most 16 MiB",
    async run(client) {
      const { reply, expectStopped } = createEndlessReply('{"events":[');
      const sync = await syncWith(client, "a list that does not end", reply);
      expectStopped(sync.asked);
      expectFailed(sync);
    },
  },
  "nothing-secret-is-printed": {
    title: "Neither the token nor the body of a failed request is in any output",
    section: "events contract, Authentication 6",
    run: (client) =>
      expectEach([400, 401, 500], async (status) => {
        const app = connect(client);
        const note = client.secret("body of a failed request");
        await app.sync(`a sync with status ${status} and a body`, () =>
          jsonReply({ error: note, error_description: app.accessToken }, status),
        );
        await app.sync("a sync of a body that is no JSON", () => ({ status: 200, body: note }));
      }),
  },
});

const PATIENCE_MS = 15_000;
/** Clocks and loads differ; a client that waits for half of it, or waits without an end, is noticed. */
const MIN_MS = 12_000;
const TOO_LATE_MS = 22_000;

function syncWith(client: ClientUnderTest, what: string, reply: Reply): Promise<EventsSync> {
  return connect(client).sync(`a sync with ${what}`, () => reply);
}

/** The client closes the connection after 15 seconds, more or less. */
async function expectGivenUp(
  client: ClientUnderTest,
  what: string,
  begin: (response: ServerResponse) => void,
): Promise<void> {
  let closed: Promise<unknown> = Promise.resolve();
  const sync = await syncWith(client, what, (response) => {
    closed = once(response, "close");
    begin(response);
    setTimeout(() => response.destroy(), TOO_LATE_MS).unref();
  });
  await closed;
  const [request] = sync.requests;
  if (request === undefined) return fail(sync.asked, `GET ${EVENTS_PATH}`, "no request");
  const { arrivedAt, endedAt } = request;
  const tookMs = (endedAt ?? 0) - arrivedAt;
  if (tookMs < MIN_MS || tookMs >= TOO_LATE_MS) {
    const received = `${(tookMs / 1000).toFixed(1)} seconds`;
    fail(sync.asked, `given up after ${PATIENCE_MS / 1000} seconds`, received);
  }
  expectFailed(sync);
}
