import assert from "node:assert/strict";
import { test } from "node:test";
import { parseMetrics } from "../../../test/fixtures/parse-metrics.ts";
import { createCollectors } from "./collectors.ts";
import { createMetrics } from "./metrics.ts";
import { renderMetrics } from "./render-metrics.ts";

test("a part that cannot be read is missing and marked, the others are there", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const metrics = createMetrics();
  const bytes = metrics.gauge("app_bytes", "Bytes", ["part"]);
  const add = createCollectors(metrics);
  let mode: "works" | "fails" | "hangs" = "works";
  add("steady", async () => bytes.with("steady").set(1));
  add("shaky", async () => {
    if (mode === "fails") throw new Error("The store is away");
    if (mode === "hangs") await new Promise(() => {});
    bytes.with("shaky").set(2);
  });
  const scrape = async () => {
    const snapshot = metrics.snapshot();
    await new Promise(setImmediate);
    t.mock.timers.tick(3000);
    return parseMetrics(await renderMetrics(await snapshot)).value;
  };
  for (const state of ["works", "fails", "hangs", "works"] as const) {
    mode = state;
    const value = await scrape();
    const isThere = state === "works";
    assert.equal(value("app_bytes", { part: "steady" }), 1, state);
    assert.equal(value("app_bytes", { part: "shaky" }), isThere ? 2 : undefined, state);
    assert.equal(value("trellis_collector_success", { collector: "steady" }), 1, state);
    assert.equal(
      value("trellis_collector_success", { collector: "shaky" }),
      isThere ? 1 : 0,
      state,
    );
  }
});
