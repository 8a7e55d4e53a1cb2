import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { readFile, writeFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { createCatalogFixture, type CatalogFixture } from "../fixtures/catalog.ts";
import { parseMetrics, type ParsedMetrics } from "../fixtures/parse-metrics.ts";
import { childrenOf } from "./children-of.ts";
import { serveTrellis, writeConfiguration } from "./start-trellis.ts";

let fixture: CatalogFixture;
before(async () => {
  fixture = await createCatalogFixture({ releases: 1 });
});
after(() => fixture.remove());

const HEALTH = { service: "release", method: "GET", route: "/health" };

test(
  "metrics are those of all workers, and no counter falls when one dies",
  { skip: process.platform !== "linux" && "only Linux lists the children of a process" },
  async (t) => {
    const config = await writeConfiguration(t, fixture.folder);
    const settings = JSON.parse(await readFile(config, "utf8")) as object;
    const operator = { listen: { host: "127.0.0.1", port: 0 } };
    await writeFile(config, JSON.stringify({ ...settings, operator }));
    const server = await serveTrellis(t, config, ["--workers", "2"]);
    const ready = JSON.parse(
      await server.line((line) => line.startsWith('{"event":"ready"')),
    ) as Record<string, string>;
    // Each connection goes to the next worker.
    const ask = (address: string) => fetch(address, { headers: { Connection: "close" } });
    const scrape = async (): Promise<ParsedMetrics> => {
      const response = await ask(`${ready["operator"]}/metrics`);
      assert.equal(response.status, 200);
      return parseMetrics(await response.text());
    };
    const requests = ({ value }: ParsedMetrics) =>
      value("trellis_http_requests_total", { ...HEALTH, status: "200" });
    const beHealthy = async (times: number) => {
      for (let time = 0; time < times; time++) {
        const response = await ask(`${server.api}/health`);
        assert.equal(response.status, 200);
        await response.body?.cancel();
      }
    };

    await beHealthy(8);
    // Whichever worker is asked.
    for (const scraped of [await scrape(), await scrape(), await scrape()]) {
      assert.equal(requests(scraped), 8);
      assert.equal(scraped.value("trellis_http_request_duration_seconds_count", HEALTH), 8);
      assert.equal(scraped.value("trellis_processes"), 2);
      assert.equal(scraped.value("trellis_release_catalogue_current"), 1, "not summed");
    }
    const before = await scrape();
    const [victim = 0] = await childrenOf(server.child.pid ?? 0);
    process.kill(victim, "SIGKILL");
    await server.line((line) => line.startsWith('{"event":"worker_died"'));
    await wait(100);
    const during = await scrape();
    assert.equal(requests(during), 8);
    assert.equal(during.value("trellis_processes"), 1);
    await server.line((line) => line.startsWith('{"event":"worker_replaced"'));
    await beHealthy(4);
    const later = await scrape();
    assert.equal(requests(later), 12);
    assert.equal(later.value("trellis_processes"), 2);
    expectNoFall(before, during);
    expectNoFall(during, later);
  },
);

/** Of counters and of the buckets, sums and counts of histograms. */
function expectNoFall(earlier: ParsedMetrics, later: ParsedMetrics): void {
  for (const { type, samples } of earlier.metrics.values()) {
    if (type === "gauge") continue;
    for (const { name, labels, value } of samples) {
      const now = later.value(name, labels) ?? -1;
      assert.ok(now >= value, `${name} ${JSON.stringify(labels)} fell from ${value} to ${now}`);
    }
  }
}
