/** Traces to a fake OpenTelemetry collector. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { test, type TestContext } from "node:test";
import { createLineWriter } from "../../src/http/request-log.ts";
import { openTracing, warnMissingSdk } from "../../src/operate/tracing/open-tracing.ts";
import { loadSdk } from "../../src/operate/tracing/sdk.ts";
import { skipWithoutSdk as skip } from "./skip-without-sdk.ts";
import { startObservedServer } from "./observed-server.ts";

interface ExportedSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly status: { readonly code?: number; readonly message?: string };
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}

interface ExportBody {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: ExportedSpan["attributes"] };
    readonly scopeSpans: readonly { readonly spans: readonly ExportedSpan[] }[];
  }[];
}

/** Collects what is sent to it. */
async function startCollector(t: TestContext, status = 200) {
  const bodies: ExportBody[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      if (request.url === "/v1/traces") bodies.push(body as ExportBody);
      response.writeHead(status, { "Content-Type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  t.after(() => server.close());
  const { port } = server.address() as { port: number };
  // The exporter of the SDK reads the environment itself.
  process.env["OTEL_EXPORTER_OTLP_ENDPOINT"] = `http://127.0.0.1:${port}`;
  t.after(() => {
    delete process.env["OTEL_EXPORTER_OTLP_ENDPOINT"];
  });
  return bodies;
}

function createLog() {
  const lines: Record<string, unknown>[] = [];
  const log = createLineWriter((text) => {
    for (const line of text.trim().split("\n")) {
      lines.push(JSON.parse(line) as Record<string, unknown>);
    }
  });
  return { log, lines };
}

test(
  "a request is a span by its route, with its transactions, and without personal values",
  { skip },
  async (t) => {
    const bodies = await startCollector(t);
    const { log, lines } = createLog();
    const tracing = await openTracing(process.env, log);
    assert.ok(tracing !== null);
    const server = await startObservedServer({ tracing });
    const secrets = await server.beBusy();
    // What waits is sent when the server stops.
    await server.stop();
    const resources = bodies.flatMap(({ resourceSpans }) => resourceSpans);
    const spans = resources.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
    assert.match(JSON.stringify(resources[0]?.resource), /"service\.name".*"trellis"/);

    const pushes = spans.filter(({ name }) => name === "POST /v1/push");
    assert.equal(pushes.length, 3);
    const attributes = Object.fromEntries(
      pushes[0]?.attributes.map(({ key, value }) => [key, Object.values(value)[0] as unknown]) ??
        [],
    );
    assert.deepEqual(attributes, {
      "trellis.service": "sync",
      "http.request.method": "POST",
      "http.route": "/v1/push",
      "http.response.status_code": 200,
    });
    const stored = spans.filter(({ parentSpanId }) => parentSpanId === pushes[0]?.spanId);
    assert.deepEqual(
      stored.map(({ name, traceId }) => [name, traceId === pushes[0]?.traceId]),
      [["store transaction", true]],
    );
    assert.ok(spans.some(({ name }) => name === "GET /api/v1/update/{platform}"));
    assert.ok(spans.some(({ name }) => name === "other"));
    const known = new Set(spans.map(({ spanId }) => spanId));
    for (const { name, parentSpanId = "" } of spans) {
      assert.equal(known.has(parentSpanId), name === "store transaction", name);
    }
    const text = JSON.stringify(bodies);
    for (const secret of secrets) assert.ok(!text.includes(secret), `"${secret}" is in a trace`);
    assert.doesNotMatch(text, /olive|paula|attacker|trs_|tre_/i);
    assert.deepEqual(
      lines.filter(({ event }) => event === "tracing_failed"),
      [],
    );
  },
);

test("a span has the name of one of several instances", { skip }, async (t) => {
  const bodies = await startCollector(t);
  const tracing = await openTracing(process.env, createLog().log);
  const response = { status: 200, headers: [], body: null, isLive: false };
  const route = { method: "GET", path: "/v1/health" } as const;
  await tracing?.request(
    "sync",
    route,
    "ada",
  )(async () => {
    await tracing.transaction("sync", "ada")(async () => {});
    return response;
  });
  await tracing?.close();
  const spans = bodies.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  );
  const named = spans.filter(({ attributes }) =>
    attributes.some(
      ({ key, value }) => key === "trellis.instance" && Object.values(value)[0] === "ada",
    ),
  );
  assert.deepEqual(named.map(({ name }) => name).sort(), ["GET /v1/health", "store transaction"]);
});

test("a collector that refuses traces is told once, and the server serves", { skip }, async (t) => {
  await startCollector(t, 400);
  const { log, lines } = createLog();
  const tracing = await openTracing(process.env, log);
  assert.ok(tracing !== null);
  const respond = tracing.request("sync", { method: "GET", path: "/v1/health" });
  const response = { status: 200, headers: [], body: null, isLive: false };
  for (let time = 0; time < 3; time++)
    assert.equal(
      respond(() => response),
      response,
    );
  await tracing.close();
  const told = lines.filter(({ event }) => event === "tracing_failed");
  assert.equal(told.length, 1);
  assert.match(String(told[0]?.["message"]), /check OTEL_EXPORTER_OTLP_ENDPOINT/);
});

test("no endpoint, or a disabled SDK, means no traces", async () => {
  const { log, lines } = createLog();
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" };
  for (const env of [
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT: "" },
    { ...endpoint, OTEL_SDK_DISABLED: "true" },
  ]) {
    assert.equal(await openTracing(env, log), null);
    await warnMissingSdk(env, log, ["a-package-that-does-not-exist"]);
  }
  assert.deepEqual(lines, []);
});

test("when a package is missing, one sentence says what to install, and the server runs on", async () => {
  const { log, lines } = createLog();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" };
  const missing = ["@opentelemetry/a-package-that-does-not-exist"];
  assert.equal(await loadSdk(missing), null);
  await warnMissingSdk(env, log, missing);
  assert.equal(lines.length, 1);
  assert.deepEqual([lines[0]?.["event"], lines[0]?.["level"]], ["tracing_unavailable", "warn"]);
  assert.match(
    String(lines[0]?.["message"]),
    /npm install @opentelemetry\/api @opentelemetry\/sdk-trace @opentelemetry\/resources @opentelemetry\/exporter-trace-otlp-http/,
  );
});
