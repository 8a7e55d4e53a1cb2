import assert from "node:assert/strict";
import { test } from "node:test";
import { parseMetrics } from "../../../test/fixtures/parse-metrics.ts";
import { keepTotals, mergeMetrics } from "./merge-metrics.ts";
import { createMetrics } from "./metrics.ts";
import { renderMetrics } from "./render-metrics.ts";

test("counters, gauges and histograms are rendered as Prometheus reads them", async () => {
  const metrics = createMetrics();
  const requests = metrics.counter("app_requests_total", "Requests\nand \\ more", ["route"]);
  requests.with('a "quoted" \\ route\n').add();
  requests.with("/b").add(2);
  metrics.gauge("app_temperature", "Degrees").with().set(-1.5);
  const sizes = metrics.histogram("app_sizes", "Sizes", [1, 10], ["kind"]);
  for (const size of [0.5, 1, 1.5, 10, 11]) sizes.with("x").observe(size);
  const text = await renderMetrics(await metrics.snapshot());
  assert.match(text, /^# HELP app_requests_total Requests\\nand \\\\ more$/m);
  assert.match(text, /^app_requests_total\{route="a \\"quoted\\" \\\\ route\\n"\} 1$/m);
  const { value, metrics: parsed } = parseMetrics(text);
  assert.equal(value("app_requests_total", { route: 'a "quoted" \\ route\n' }), 1);
  assert.equal(value("app_requests_total", { route: "/b" }), 2);
  assert.equal(value("app_temperature"), -1.5);
  // A bound belongs to its bucket.
  assert.equal(value("app_sizes_bucket", { kind: "x", le: "1" }), 2);
  assert.equal(value("app_sizes_bucket", { kind: "x", le: "10" }), 4);
  assert.equal(value("app_sizes_bucket", { kind: "x", le: "+Inf" }), 5);
  assert.equal(value("app_sizes_sum", { kind: "x" }), 24);
  assert.equal(value("app_sizes_count", { kind: "x" }), 5);
  assert.deepEqual([...parsed.keys()], ["app_requests_total", "app_sizes", "app_temperature"]);
});

test("a metric without samples is still described, and an empty label is left out", async () => {
  const metrics = createMetrics();
  metrics.counter("app_nothing_total", "Nothing yet", ["kind"]);
  metrics.gauge("app_bytes", "Bytes", ["instance"]).with("").set(7);
  const text = await renderMetrics(await metrics.snapshot());
  assert.equal(parseMetrics(text).value("app_bytes"), 7);
  assert.deepEqual(parseMetrics(text).metrics.get("app_nothing_total")?.samples, []);
});

test("the same labels are the same cell; wrong names and label counts are refused", () => {
  const metrics = createMetrics();
  const family = metrics.counter("app_total", "Things", ["kind"]);
  assert.equal(family.with("a"), family.with("a"));
  assert.notEqual(family.with("a"), family.with("b"));
  assert.throws(() => family.with(), /has the labels kind/);
  assert.throws(() => metrics.gauge("app_total", "Again"), /registered already/);
  assert.throws(() => metrics.gauge("app-bytes", "Bytes"), /invalid name/);
  assert.throws(() => metrics.gauge("app_bytes", "Bytes", ["Kind"]), /invalid name/);
});

test("gauges are set right before they are read, also by work that takes time", async () => {
  const metrics = createMetrics();
  const gauge = metrics.gauge("app_bytes", "Bytes");
  let bytes = 0;
  metrics.onScrape(async () => {
    await Promise.resolve();
    gauge.with().set(++bytes);
  });
  assert.equal((await metrics.snapshot())[0]?.samples[0]?.value, 1);
  assert.equal((await metrics.snapshot())[0]?.samples[0]?.value, 2);
});

/** The metrics of a process that has counted this much. */
async function countAs(requests: number, bytes: number, delay: number) {
  const metrics = createMetrics();
  const counter = metrics.counter("app_requests_total", "Requests", ["route"]);
  counter.with("/all").add(requests);
  if (requests > 5) counter.with("/rare").add();
  metrics.gauge("app_bytes", "Bytes").with().set(bytes);
  metrics.gauge("app_delay_seconds", "Delay", [], "max").with().set(delay);
  metrics.histogram("app_sizes", "Sizes", [1, 10]).with().observe(requests);
  return metrics.snapshot();
}

test("the values of several processes are summed, or the largest is taken", async () => {
  const merged = mergeMetrics([await countAs(2, 10, 0.5), await countAs(7, 20, 0.25)]);
  const { value } = parseMetrics(await renderMetrics(merged));
  assert.equal(value("app_requests_total", { route: "/all" }), 9);
  assert.equal(value("app_requests_total", { route: "/rare" }), 1);
  assert.equal(value("app_bytes"), 30);
  assert.equal(value("app_delay_seconds"), 0.5);
  assert.equal(value("app_sizes_bucket", { le: "1" }), 0);
  assert.equal(value("app_sizes_bucket", { le: "10" }), 2);
  assert.equal(value("app_sizes_sum"), 9);
});

test("of a process that has ended the totals stay, and the gauges go", async () => {
  const ended = keepTotals(await countAs(2, 10, 0.5));
  const { value } = parseMetrics(
    await renderMetrics(mergeMetrics([ended, await countAs(7, 20, 0.25)])),
  );
  assert.equal(value("app_requests_total", { route: "/all" }), 9);
  assert.equal(value("app_sizes_count"), 2);
  assert.equal(value("app_bytes"), 20);
  assert.equal(value("app_delay_seconds"), 0.25);
});
