import assert from "node:assert/strict";
import { test } from "node:test";
import { createCatalogFixture } from "../fixtures/catalog.ts";
import { exchangeRaw } from "../fixtures/raw-connection.ts";
import { serveTrellis, writeConfiguration } from "./start-trellis.ts";

test("one log line per request has time, level, five fields and the code of an error, and no user input", async (t) => {
  const fixture = await createCatalogFixture({ releases: 2 });
  t.after(fixture.remove);
  const server = await serveTrellis(t, await writeConfiguration(t, fixture.folder));
  const targets = [
    "/health?code=secret-1",
    "/none%0a%22?x",
    "/api/v1/releases",
    `/${"y".repeat(3000)}`,
  ];
  for (const target of targets) {
    await exchangeRaw(
      server.apiPort,
      `GET ${target} HTTP/1.1\r\nHost: secret-2\r\nUser-Agent: secret-3\r\nCookie: secret-4\r\nConnection: close\r\n\r\n`,
    );
  }
  await exchangeRaw(server.smartDownloadPort, "PROPFIND /?secret-5 HTTP/1.0\r\n\r\n");
  server.child.kill("SIGTERM");
  await server.ended;

  const lines = server.stdout().trimEnd().split("\n");
  const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const requests = entries.filter((entry) => !("event" in entry));
  for (const entry of requests) {
    const isError = Number(entry["status"]) >= 400;
    assert.deepEqual(Object.keys(entry), [
      "time",
      "level",
      "requestId",
      "method",
      "path",
      "status",
      "durationMs",
      ...(isError ? ["code"] : []),
    ]);
    assert.ok(Math.abs(Date.now() - Date.parse(String(entry["time"]))) < 60_000);
    assert.deepEqual([entry["level"], entry["code"]], ["info", isError ? "not_found" : undefined]);
    assert.match(String(entry["requestId"]), /^[0-9a-f-]{36}$/);
    assert.ok(Number(entry["durationMs"]) >= 0);
  }
  assert.deepEqual(
    requests.map(({ method, path, status }) => [method, path, status]),
    [
      ["GET", "/health", 200],
      ["GET", "/none%0a%22", 404],
      ["GET", "/api/v1/releases", 200],
      ["GET", `/${"y".repeat(511)}…`, 404],
      ["OTHER", "/", 404],
    ],
  );
  assert.deepEqual(
    entries.filter((entry) => "event" in entry).map(({ event }) => event),
    ["catalog_loaded", "ready", "stopped"],
  );
  for (const { time, level } of entries) {
    assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.equal(level, "info");
  }
  assert.doesNotMatch(server.stdout(), /secret/);
  assert.equal(server.stderr(), "");
});
