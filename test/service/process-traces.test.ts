import assert from "node:assert/strict";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { skipWithoutSdk as skip } from "./skip-without-sdk.ts";
import { createCatalogFixture } from "../fixtures/catalog.ts";
import { serveTrellis, writeConfiguration } from "./start-trellis.ts";

test(
  "a server process sends its traces to the collector, the last when it stops",
  { skip },
  async (t) => {
    const bodies: Promise<string>[] = [];
    const collector = createServer((request, response) => {
      bodies.push(text(request));
      response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
    });
    await new Promise<void>((resolve) => void collector.listen(0, "127.0.0.1", resolve));
    t.after(() => new Promise((resolve) => collector.close(resolve)));
    const { port } = collector.address() as { port: number };
    const fixture = await createCatalogFixture({ releases: 1 });
    t.after(() => fixture.remove());
    const config = await writeConfiguration(t, fixture.folder);
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` };
    const server = await serveTrellis(t, config, [], { env });
    assert.equal((await fetch(`${server.api}/health`)).status, 200);
    server.child.kill("SIGTERM");
    assert.deepEqual(await server.ended, { code: 0, signal: null });
    assert.doesNotMatch(server.stdout(), /tracing_/);
    assert.match((await Promise.all(bodies)).join("\n"), /"GET \/health"/);
  },
);
