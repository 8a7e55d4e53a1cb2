/** What a monitor learns of the instances of a server, open or closed. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { changeBackupState } from "../../../src/backup/backup-state.ts";
import type { Tracing } from "../../../src/operate/tracing/open-tracing.ts";
import { STORE_KINDS } from "../../database/on-both-stores.ts";
import type { ParsedMetrics } from "../../fixtures/parse-metrics.ts";
import { openChanges } from "../read-changes.ts";
import { startObservedHost } from "./observed-host.ts";
import { addAccount, askOf, bearer, createHostPlace, signInTo } from "./serve-host.ts";

const samplesOf = ({ metrics }: ParsedMetrics, instance: string) =>
  [...metrics.values()].flatMap(({ samples }) =>
    samples.filter(({ labels }) => labels["instance"] === instance),
  );

for (const kind of STORE_KINDS) {
  test(`a monitor sees each instance, and opens none for it (${kind})`, async (t) => {
    const place = await createHostPlace(t, kind);
    await addAccount(place, "ada");
    const createdAt = new Date(Date.now() - 3_600_000).toISOString();
    const last = {
      createdAt,
      verifiedAt: createdAt,
      place: "/x",
      bytes: 1,
      sha256: "0",
      facts: {},
    };
    await changeBackupState(join(place.dataDir, "instances", "bob"), "sync", { last });
    const { host, scrape, push, instances } = startObservedHost(t, place, ["ada", "bob"], {
      idleMs: 400,
    });
    const { accessToken } = await signInTo(host, "ada");
    assert.deepEqual(
      [await push("ada", accessToken, 1), await push("ada", accessToken, 2)],
      [200, 200],
    );
    await askOf(host, "ada")("/v1/pull?limit=1", { headers: bearer(accessToken) });
    await openChanges(askOf(host, "ada"), accessToken);

    const open = await scrape();
    const ada = { instance: "ada" };
    assert.equal(open.value("trellis_sync_pushes_total", { ...ada, result: "stored" }), 2);
    assert.equal(open.value("trellis_sync_operations_total", { ...ada, result: "stored" }), 2);
    assert.equal(open.value("trellis_sync_pulled_operations_total", ada), 1);
    assert.equal(open.value("trellis_sync_open_streams", ada), 1);
    assert.equal(open.value("trellis_sync_devices", ada), 1);
    assert.equal(open.value("trellis_sync_device_lag_operations", ada), 1);
    assert.equal(open.value("trellis_sync_devices_behind", { operations: "1" }), 1);
    assert.equal(open.value("trellis_sync_instances", { state: "served" }), 2);
    assert.equal(open.value("trellis_sync_open_instances", { state: "in_use" }), 1);
    assert.equal(
      open.value("trellis_security_events_total", { service: "sync", kind: "new-device" }),
      1,
    );
    assert.ok((open.value("trellis_store_bytes", { service: "sync", ...ada }) ?? 0) > 10_000);
    const age = open.value("trellis_backup_age_seconds", { service: "sync", instance: "bob" });
    assert.ok(age !== undefined && age >= 3600 && age < 3700, `the age is ${age}`);
    assert.deepEqual(host.counts(), { instances: 2, open: 1, inUse: 1 });

    // Its totals stay, so that no counter falls; what it has open is gone.
    host.endStreams();
    for (let turn = 0; host.counts().open > 0 && turn < 100; turn++) await wait(50);
    const closed = await scrape();
    assert.deepEqual(host.counts(), { instances: 2, open: 0, inUse: 0 });
    assert.equal(closed.value("trellis_sync_pushes_total", { ...ada, result: "stored" }), 2);
    assert.equal(closed.value("trellis_sync_open_streams", ada), undefined);
    assert.equal(closed.value("trellis_sync_device_lag_operations", ada), 1);
    assert.equal(
      closed.value("trellis_store_bytes", { service: "sync", ...ada }),
      open.value("trellis_store_bytes", { service: "sync", ...ada }),
    );
    assert.equal(closed.value("trellis_collector_success", { collector: "sync-instances" }), 1);
    assert.equal(await push("ada", accessToken, 3), 200);
    const again = await scrape();
    assert.equal(again.value("trellis_sync_pushes_total", { ...ada, result: "stored" }), 3);

    const [adas, bobs] = [instances["ada"] ?? assert.fail(), instances["bob"] ?? assert.fail()];
    await host.replaceInstances({ ada: { ...adas, suspended: true }, bob: bobs });
    const key = kind === "SQLite" ? join("instances", "bob", "instance.key") : "host.key";
    await writeFile(join(place.dataDir, key), "too short");
    const headers = bearer(accessToken);
    for (const name of ["ada", "bob"]) {
      assert.equal((await askOf(host, name)("/v1/pull", { headers })).status, 503);
    }
    const refused = await scrape();
    // A suspended instance refuses on purpose.
    assert.equal(refused.value("trellis_sync_instance_errors_total", ada), undefined);
    assert.equal(refused.value("trellis_sync_instance_errors_total", { instance: "bob" }), 1);
    assert.equal(refused.value("trellis_sync_instances", { state: "suspended" }), 1);
    await host.replaceInstances({ bob: bobs });
    assert.deepEqual(samplesOf(await scrape(), "ada"), []);
  });
}

test("an instance has few series: what has buckets is summed over all", async (t) => {
  const place = await createHostPlace(t, "SQLite");
  await addAccount(place, "ada");
  const { host, scrape, push } = startObservedHost(t, place, ["ada"]);
  const { accessToken } = await signInTo(host, "ada");
  await push("ada", accessToken, 1);
  const parsed = await scrape();
  const own = samplesOf(parsed, "ada");
  assert.ok(own.length <= 8, own.map(({ name }) => name).join());
  for (const { type, samples } of parsed.metrics.values()) {
    if (type !== "histogram") continue;
    assert.ok(samples.every(({ labels }) => labels["instance"] === undefined));
  }
  const route = { service: "sync", method: "POST", route: "/v1/push" };
  assert.equal(parsed.value("trellis_http_request_duration_seconds_count", route), 1);
  assert.equal(parsed.value("trellis_sync_append_group_size_count"), 1);
  const unknown = await host.fetch(new Request("https://nobody.example.com/v1/health"));
  assert.equal(unknown.status, 404);
  const refused = { service: "sync", method: "other", route: "other", status: "404" };
  assert.equal((await scrape()).value("trellis_http_requests_total", refused), 1);
});

test("spans of requests and transactions have the name of the instance", async (t) => {
  const place = await createHostPlace(t, "SQLite");
  await addAccount(place, "ada");
  const seen = new Set<string>();
  const tracing: Tracing = {
    request: (service, route, instance) => (respond) => {
      seen.add(`${service} ${route?.path ?? "other"} ${instance}`);
      return respond();
    },
    transaction: (service, instance) => (run) => {
      seen.add(`${service} transaction ${instance}`);
      return run();
    },
    close: async () => {},
  };
  const { host, push } = startObservedHost(t, place, ["ada", "bob"], {}, tracing);
  const { accessToken } = await signInTo(host, "ada");
  await push("ada", accessToken, 1);
  await askOf(host, "bob")("/v1/health");
  await host.fetch(new Request("https://nobody.example.com/v1/health"));
  for (const span of [
    "sync /v1/push ada",
    "sync transaction ada",
    "sync /v1/health bob",
    "sync other undefined",
  ]) {
    assert.ok(seen.has(span), span);
  }
  assert.ok(!seen.has("sync /v1/push bob"));
});
