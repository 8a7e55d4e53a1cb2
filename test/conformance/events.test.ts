import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  checkEvents,
  isConforming,
  reportToText,
  type EventsInput,
} from "../../conformance/index.ts";
import { EVENTS_CASES } from "../../conformance/events/check-events.ts";
import { startPostgres } from "../database/start-postgres.ts";
import { startEventsProcess } from "./service-process.ts";

const ACCOUNT = { username: "Ada Löve", password: " correct horse, battery " };
const REDIRECT_URI = "com.example.app:/signed-in?from=events";
const SETTINGS = {
  baseUrl: "https://events.example.com",
  serviceName: "Ada's <planner> & more",
  clients: [{ id: "an-app~1", name: "An <app>", redirectUris: [REDIRECT_URI] }],
};
const KNOWN: Omit<EventsInput, "baseUrl"> = {
  level: "trellis",
  publicUrl: SETTINGS.baseUrl,
  clientId: "an-app~1",
  redirectUri: REDIRECT_URI,
  account: ACCOUNT,
};

async function withServer(
  store: string,
  use: (input: EventsInput) => Promise<void>,
): Promise<void> {
  const server = await startEventsProcess({ ...ACCOUNT, store, settings: SETTINGS });
  try {
    await use({ baseUrl: server.url, ...KNOWN });
  } finally {
    assert.equal(await server.stop(), 0);
  }
}

async function expectWhole(input: EventsInput): Promise<void> {
  const report = await checkEvents(input);
  assert.ok(isConforming(report), reportToText(report));
  assert.equal(report.passed, EVENTS_CASES.length, reportToText(report));
}

describe("the running process passes every case, and none is skipped", { concurrency: 2 }, () => {
  test("on SQLite", () => withServer("sqlite:./data/events.db", expectWhole));
  test("on PostgreSQL", async () => {
    const postgres = await startPostgres();
    await withServer(await postgres.createDatabase(), expectWhole);
  });
});
