/** What a monitor learns of a server, and what it must not learn. */
import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { REFUSED_REASONS } from "../../src/operate/metrics/refused-reasons.ts";
import { EVENTS_PAGE_ROUTES } from "../../src/contract/events/page-routes.ts";
import { EVENTS_ROUTES } from "../../src/contract/events/routes.ts";
import { RELEASE_ROUTES } from "../../src/contract/release/routes.ts";
import { SYNC_ROUTES } from "../../src/contract/sync/routes.ts";
import { RECOVERY_REASONS } from "../../src/contract/sync/values.ts";
import { SECURITY_EVENT_KINDS } from "../../src/identity/security-event.ts";
import { changeBackupState } from "../../src/backup/backup-state.ts";
import { readBuild } from "../../src/database/product-build.ts";
import { PRODUCT_VERSION } from "../../src/database/product-version.ts";
import { createServiceObservers } from "../../src/operate/service-observers.ts";
import { parseMetrics, type ParsedMetrics } from "../fixtures/parse-metrics.ts";
import { startObservedHost } from "../sync/host/observed-host.ts";
import { addAccount, askOf, createHostPlace, signInTo } from "../sync/host/serve-host.ts";
import { openChanges } from "../sync/read-changes.ts";
import { startObservedServer, type ObservedServer } from "./observed-server.ts";

const INSTANCE = "ada";
const OPERATE = join(import.meta.dirname, "../../docs/operate");

let server: ObservedServer;
let secrets: readonly string[];
let text: string;
let parsed: ParsedMetrics;
/** Of a server with several sync instances. */
let hosted: ParsedMetrics;
before(async () => {
  server = await startObservedServer();
  secrets = await server.beBusy();
  text = await server.scrape();
  parsed = parseMetrics(text);
  hosted = await scrapeHost();
});
after(() => server.stop());

async function scrapeHost(): Promise<ParsedMetrics> {
  const place = await createHostPlace({ after }, "SQLite");
  await addAccount(place, INSTANCE);
  const { host, push, scrape } = startObservedHost({ after }, place, [INSTANCE, "broken"]);
  const { accessToken } = await signInTo(host, INSTANCE);
  assert.equal(await push(INSTANCE, accessToken, 1), 200);
  const ask = askOf(host, INSTANCE);
  await ask("/v1/pull", { headers: { Authorization: `Bearer ${accessToken}` } });
  await openChanges(ask, accessToken);
  const folder = join(place.dataDir, "instances", "broken");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "instance.key"), "too short");
  assert.equal((await askOf(host, "broken")("/owner/export.json")).status, 503);
  const createdAt = new Date().toISOString();
  const last = { createdAt, verifiedAt: createdAt, place: "", bytes: 1, sha256: "0", facts: {} };
  await changeBackupState(folder, "sync", { last });
  return scrape();
}

test("a monitor sees what devices, apps and attackers did", () => {
  const { value } = parsed;
  const expectValue = (expected: number, name: string, labels: Record<string, string> = {}) =>
    assert.equal(value(name, labels), expected, `${name} ${JSON.stringify(labels)}`);
  const requests = "trellis_http_requests_total";
  const push = { service: "sync", method: "POST", route: "/v1/push" };
  expectValue(2, requests, { ...push, status: "200" });
  expectValue(1, requests, { ...push, status: "400" });
  expectValue(3, "trellis_http_request_duration_seconds_count", push);
  const version = { service: "release", method: "GET", route: "/api/v1/releases/{version}" };
  expectValue(1, requests, { ...version, status: "404" });
  const unrouted = { service: "release", method: "other", route: "other", status: "404" };
  expectValue(2, requests, unrouted);
  expectValue(2, "trellis_sync_pushes_total", { result: "stored" });
  expectValue(1, "trellis_sync_pushes_total", { result: "invalid" });
  expectValue(3, "trellis_sync_operations_total", { result: "stored" });
  expectValue(1, "trellis_sync_operations_total", { result: "duplicate" });
  expectValue(2, "trellis_sync_pulls_total", { recovery: "none" });
  expectValue(4, "trellis_sync_pulled_operations_total");
  expectValue(2, "trellis_sync_append_group_size_count");
  expectValue(1, "trellis_sync_open_streams");
  const event = (kind: string) => ({ service: "sync", kind });
  expectValue(2, "trellis_security_events_total", event("new-device"));
  expectValue(1, "trellis_security_events_total", event("throttling-begun"));
  expectValue(1, "trellis_security_events_total", event("refresh-token-reuse"));
  expectValue(0, "trellis_security_events_total", event("worker-death"));
  const throttled = { service: "sync", method: "POST", route: "/v1/authorize", status: "429" };
  assert.ok((value(requests, throttled) ?? 0) >= 1, "the throttle is seen");
  // The phone was revoked; the laptop has pulled one of three operations.
  expectValue(1, "trellis_sync_devices");
  expectValue(2, "trellis_sync_device_lag_operations");
  expectValue(1, "trellis_sync_devices_behind", { operations: "1" });
  expectValue(0, "trellis_sync_devices_behind", { operations: "10" });
  expectValue(1, "trellis_events_subscriptions", { state: "failing" });
  expectValue(0, "trellis_events_subscriptions", { state: "ok" });
  expectValue(0, "trellis_events_subscriptions_overdue");
  expectValue(1, "trellis_release_catalogue_current");
  expectValue(1, "trellis_build_info", {
    version: PRODUCT_VERSION,
    build: readBuild() ?? "unknown",
    node: process.versions.node,
  });
  expectValue(1, "trellis_processes");
});

test("a monitor sees stores, disks, backups, the manifest and the process", () => {
  const expectBetween = (
    low: number,
    high: number,
    name: string,
    labels: Record<string, string> = {},
  ) => {
    const found = parsed.value(name, labels) ?? NaN;
    assert.ok(found >= low && found <= high, `${name} is ${found}`);
  };
  for (const service of ["sync", "events"]) {
    expectBetween(10_000, 1e8, "trellis_store_bytes", { service });
    expectBetween(3600, 3700, "trellis_backup_age_seconds", { service });
    expectBetween(1e6, 1e18, "trellis_disk_free_bytes", { folder: service });
    for (const part of ["transaction", "query", "commit"]) {
      expectBetween(1, 1e4, `trellis_store_${part}_duration_seconds_count`, { service });
    }
    expectBetween(1, 1e4, "trellis_store_group_size_count", { service });
    expectBetween(0, 0, "trellis_store_failures_total", { service });
  }
  expectBetween(1e6, 1e18, "trellis_disk_size_bytes", { folder: "data" });
  const day = 86_400;
  expectBetween(29 * day, 30 * day, "trellis_release_manifest_expires_in_seconds");
  expectBetween(1e7, 1e11, "process_resident_memory_bytes");
  expectBetween(1e6, 1e11, "nodejs_heap_size_used_bytes");
  expectBetween(0.01, 1e4, "process_cpu_seconds_total");
  const now = Date.now() / 1000;
  expectBetween(now - 3600, now, "process_start_time_seconds");
  expectBetween(0, 60, "trellis_event_loop_delay_seconds", { percentile: "99" });
  for (const { labels, value } of samplesOf("trellis_collector_success")) {
    assert.equal(value, 1, labels["collector"] ?? "");
  }
});

/** Every label of every metric, with the values that it can have. */
const ROUTES = [RELEASE_ROUTES, SYNC_ROUTES, EVENTS_ROUTES, EVENTS_PAGE_ROUTES].flatMap((table) =>
  Object.values(table).map(({ path }) => path),
);
const LABEL_VALUES: Readonly<Record<string, readonly string[] | RegExp>> = {
  reason: REFUSED_REASONS,
  service: ["release", "sync", "events"],
  method: ["GET", "POST", "DELETE", "other"],
  route: [...ROUTES, "other"],
  status: /^[1-5]\d\d$/,
  le: /^(?:\d+(?:\.\d+)?|\+Inf)$/,
  kind: SECURITY_EVENT_KINDS,
  result: ["stored", "duplicate", "conflict", "invalid", "over-quota"],
  recovery: RECOVERY_REASONS,
  operations: ["1", "10", "100", "1000", "10000"],
  state: ["ok", "failing", "waiting", "served", "suspended", "in_use", "idle"],
  instance: [INSTANCE, "broken"],
  folder: ["data", "sync", "events"],
  percentile: ["50", "99", "100"],
  version: [PRODUCT_VERSION, "test"],
  build: [readBuild() ?? "unknown", "unknown"],
  node: [process.versions.node],
  collector: /^(?:release-catalogue|events-subscriptions|(?:sync|events|data)-[a-z]+)$/,
};

test("no personal value is in a label: labels have values of closed lists", () => {
  for (const { samples } of [...parsed.metrics.values(), ...hosted.metrics.values()]) {
    for (const { name, labels } of samples) {
      for (const [label, value] of Object.entries(labels)) {
        const allowed = LABEL_VALUES[label] ?? [];
        const isAllowed = Array.isArray(allowed)
          ? allowed.includes(value)
          : (allowed as RegExp).test(value);
        assert.ok(isAllowed, `${name} has ${label}="${value}"`);
      }
    }
  }
});

test("no name, token, id, address or path of the session is anywhere in the text", () => {
  assert.ok(secrets.length > 25);
  for (const secret of secrets) {
    assert.ok(secret.length >= 5);
    assert.ok(!text.includes(secret), `"${secret}" is in the metrics`);
  }
  assert.doesNotMatch(text, /olive|paula|attacker|trs_|tre_|secret|school|\.db|@/i);
  assert.doesNotMatch(text, /\d+\.\d+\.\d+\.\d+|localhost|https?:/);
  // Random ids and hashes are long words of mixed letters.
  assert.doesNotMatch(text, /(?=\w*\d)(?=\w*[A-Z])\w{16,}/);
});

test("the page on watching lists exactly those that there are", async () => {
  const page = await readFile(join(OPERATE, "watch.md"), "utf8");
  const listed = [...page.matchAll(/^\| `(\w+)` +\| (\w+) +\| (.*?) +\| (.*?) +\|$/gm)].map(
    ([, name = "", type, labels = "", help]) => ({
      name,
      type,
      labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label).sort(),
      help,
    }),
  );
  const existing = [...parsed.metrics.values()].map(({ name, type, help, samples }) => {
    const named = hosted.metrics.get(name)?.samples ?? [];
    const labels = new Set([...samples, ...named].flatMap((sample) => Object.keys(sample.labels)));
    labels.delete("le");
    return { name, type, labels: [...labels].sort(), help };
  });
  const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
  assert.deepEqual(listed.sort(byName), existing.sort(byName));
});

/** The expressions of the dashboard and of the alerts. */
async function readQueries(): Promise<{ readonly file: string; readonly query: string }[]> {
  const dashboard = await readFile(join(OPERATE, "grafana-dashboard.json"), "utf8");
  const { panels } = JSON.parse(dashboard) as {
    panels: { targets?: { expr: string }[] }[];
  };
  const alerts = await readFile(join(OPERATE, "prometheus-alerts.yml"), "utf8");
  return [
    ...panels.flatMap(({ targets = [] }) =>
      targets.map(({ expr }) => ({ file: "the dashboard", query: expr })),
    ),
    ...[...alerts.matchAll(/^ +expr: (.+)$/gm)].map(([, query = ""]) => ({
      file: "the alerts",
      query,
    })),
  ];
}

test("the dashboard and the alerts ask only for metrics, labels and values that exist", async () => {
  const queries = await readQueries();
  assert.ok(queries.filter(({ file }) => file === "the dashboard").length >= 15);
  assert.ok(queries.filter(({ file }) => file === "the alerts").length >= 10);
  const seriesLabels = new Map<string, Set<string>>();
  for (const { samples } of [...parsed.metrics.values(), ...hosted.metrics.values()]) {
    for (const { name, labels } of samples) {
      const known = seriesLabels.get(name) ?? new Set(["instance", "job"]);
      seriesLabels.set(name, known);
      for (const label of Object.keys(labels)) known.add(label);
    }
  }
  for (const { file, query } of queries) {
    const names = [...query.matchAll(/\b(?:trellis|process|nodejs)_\w+/g)].map(([name]) => name);
    assert.ok(names.length > 0 || /\bup\{/.test(query), `${file}: ${query}`);
    for (const name of names) {
      assert.ok(seriesLabels.has(name), `${file} asks for ${name}, which does not exist`);
    }
    for (const [, name = "", inner = ""] of query.matchAll(/\b(\w+)\{([^}]*)\}/g)) {
      if (name === "up") continue;
      for (const [, label = "", operator, value = ""] of inner.matchAll(
        /(\w+)(=~|=|!=)"([^"]*)"/g,
      )) {
        assert.ok(seriesLabels.get(name)?.has(label), `${file}: ${name} has no label ${label}`);
        const allowed = LABEL_VALUES[label];
        // The only instance of a server has an empty name.
        const isKnown = value === "" || !Array.isArray(allowed) || allowed.includes(value);
        if (operator === "=~" || isKnown) continue;
        assert.fail(`${file}: ${label} is never "${value}"`);
      }
    }
    for (const [, labels = ""] of query.matchAll(/\bby \(([^)]*)\)/g)) {
      for (const label of labels.split(/, */)) {
        const isKnown = names.some((name) => seriesLabels.get(name)?.has(label));
        assert.ok(isKnown, `${file}: no metric of "${query}" has the label ${label}`);
      }
    }
  }
});

test("without the operator's listener nothing listens and nothing is counted", async (t) => {
  const quiet = await startObservedServer({ hasOperator: false });
  t.after(() => quiet.stop());
  assert.equal(quiet.addresses["operator"], undefined);
  const response = await fetch(`${quiet.addresses["sync"]}/metrics`);
  assert.equal(response.status, 404);
  assert.equal(createServiceObservers(null, null), undefined, "services have no observer");
});

function samplesOf(name: string) {
  return parsed.metrics.get(name)?.samples ?? [];
}
