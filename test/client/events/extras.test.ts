/** What a service offers beyond the contract: used where it is announced, never needed. */
import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import { test } from "node:test";
import { BODY_MARK, connect, printWhole } from "./connect.ts";
import {
  ALL_EXTRAS,
  createEvent,
  FULL,
  idsOf,
  listOf,
  OPTIONS,
  OUR_STATE,
  REQUEST,
  script,
  SINCE,
  STATE,
} from "./scripted-service.ts";

const isPlain = (url: string) => /^\/api\/events\?limit=500(?:&updated_since=[^&]+)?$/.test(url);

/** Responses to a request with an extra that are no list. */
const REFUSALS: Readonly<Record<string, RequestListener>> = {
  ...Object.fromEntries(
    [400, 403, 404, 405, 409, 410, 413, 414, 422, 500, 501, 502, 503].map((status) => [
      String(status),
      ((_, response) => void response.writeHead(status).end(BODY_MARK)) satisfies RequestListener,
    ]),
  ),
  "a redirect": (_, response) => void response.writeHead(302, { Location: "/" }).end(),
  "no content": (_, response) => void response.writeHead(204).end(),
  "a page of HTML": (_, response) => void response.end(`<html>${BODY_MARK}</html>`),
  "a broken connection": ({ socket }) => void socket.destroy(),
};

for (const [name, refuse] of Object.entries(REFUSALS)) {
  test(`an extra refused by ${name} is followed by the plain request`, async (t) => {
    const asked: string[] = [];
    const listener: RequestListener = (message, response) => {
      const { url = "" } = message;
      asked.push(url);
      if (!isPlain(url)) return refuse(message, response);
      response.end(JSON.stringify({ events: [createEvent("a")] }));
    };
    const client = await connect(t, listener, OPTIONS);
    const result = await client.syncEvents({ ...REQUEST, state: OUR_STATE });
    assert.ok(result.kind === "synced" && !result.mayHaveMore, printWhole(result));
    assert.deepEqual(idsOf(result), ["a"]);
    // It does not announce them any more, so they are not asked for any more.
    await client.syncEvents({ ...REQUEST, state: { ...result.state, cursor: STATE.cursor } });
    const plain = `${FULL}&${SINCE}`;
    assert.deepEqual(asked, [`${plain}&include_deleted=true`, plain, plain]);
  });
}

for (const [status, kind] of [
  [401, "reconnect-needed"],
  [429, "failed"],
] as const) {
  test(`${status} in response to an extra is no refusal of it`, async (t) => {
    const { asked, listener } = script();
    const refuse: RequestListener = (message, response) => {
      response.statusCode = status;
      listener(message, response);
    };
    const client = await connect(t, refuse, OPTIONS);
    const result = await client.syncEvents({ ...REQUEST, state: OUR_STATE });
    assert.equal(result.kind, kind);
    assert.deepEqual(result.state, OUR_STATE);
    assert.equal(asked.length, 1);
  });
}

test("pages that are announced and refused are followed by the plain request, which tells what is missing", async (t) => {
  const asked: string[] = [];
  const listener: RequestListener = ({ url = "" }, response) => {
    asked.push(url);
    if (url !== FULL) return void response.writeHead(404).end(BODY_MARK);
    const next = { has_more: true, next_updated_since: "1970-01-01T00:00:00Z" };
    response.end(JSON.stringify({ events: listOf(500), ...next, extras: ["pages"] }));
  };
  const client = await connect(t, listener, OPTIONS);
  const result = await client.syncEvents(REQUEST);
  assert.ok(result.kind === "synced" && result.mayHaveMore && !result.isWhole);
  assert.equal(result.events.length, 500);
  assert.equal(result.state.cursor, null);
  assert.deepEqual(asked, [FULL, `${FULL}&updated_since=1970-01-01T00%3A00%3A00Z`, FULL]);
});

test("a service that stops announcing between two pages is synced plainly from then on", async (t) => {
  const { asked, listener } = script(
    {
      events: listOf(500),
      has_more: true,
      next_updated_since: "2026-08-01T00:00:00Z",
      extras: ALL_EXTRAS,
    },
    { events: [createEvent("e499", "new"), createEvent("e500")] },
  );
  const client = await connect(t, listener, OPTIONS);
  const result = await client.syncEvents(REQUEST);
  assert.ok(result.kind === "synced" && !result.mayHaveMore && !result.isWhole);
  assert.equal(new Set(idsOf(result)).size, 501);
  assert.equal(result.events.length, 501);
  assert.deepEqual(result.state.extras, []);
  await client.syncEvents({ ...REQUEST, state: result.state });
  assert.ok(isPlain(asked[2] ?? ""), String(asked[2]));
});

test("a member deleted that was not announced is none of the contract: the event is imported", async (t) => {
  const { listener } = script({ events: [{ ...createEvent("a"), deleted: true }] });
  const result = await (await connect(t, listener, OPTIONS)).syncEvents(REQUEST);
  assert.deepEqual([idsOf(result), result.deletedIds], [["a"], []]);
});
