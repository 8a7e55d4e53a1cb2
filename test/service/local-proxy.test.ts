/** A proxy on the same machine: every connection comes from loopback, with X-Forwarded-For. */
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { runInside } from "../fixtures/run-inside.ts";
import { signIn, type Ask } from "../sync/sync-client.ts";
import { runTrellis } from "./start-trellis.ts";

const LOCAL = ["127.0.0.1", "::1"];
const PASSWORD = "correct horse battery";
const OWNER = "198.51.100.7";
const STRANGER = "203.0.113.9";

async function init(t: TestContext, words: string) {
  const folder = await mkdtemp(join(tmpdir(), "trellis-proxy-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const given = ["init", "--product", "habits", ...words.split(" ")];
  const { code, stderr } = await runInside(folder, given);
  assert.equal(code, 0, stderr);
  const path = join(folder, "trellis.config.json");
  const written = JSON.parse(await readFile(path, "utf8")) as Record<string, unknown>;
  const change = (settings: object) => writeFile(path, JSON.stringify({ ...written, ...settings }));
  return { folder, path, written, change };
}

async function diagnose(folder: string) {
  const { code, stdout } = await runInside(folder, ["doctor", "--json"]);
  const { findings } = JSON.parse(stdout) as {
    findings: { level: string; subject: string; message: string; remedy?: string }[];
  };
  return { code, found: findings.filter(({ subject }) => subject === "trusted proxies") };
}

async function serve(t: TestContext, config: string) {
  const running = runTrellis(t, ["serve", "sync", "--config", config], {
    env: { TRELLIS_SYNC_LISTEN_PORT: "0" },
  });
  const line = await running.line((text) => text.includes('"event":"ready"'));
  const { sync } = JSON.parse(line) as { sync: string };
  const countNotices = () => running.stdout().split('"event":"untrusted_proxy"').length - 1;
  const end = async () => {
    running.child.kill("SIGTERM");
    await running.ended;
  };
  /** A request as the proxy passes it on. */
  const askFrom =
    (client: string): Ask =>
    (path, given) =>
      fetch(`${sync}${path}`, {
        ...given,
        headers: { ...(given?.headers as object), "X-Forwarded-For": client },
      });
  return { askFrom, countNotices, end };
}

const device = {
  password: PASSWORD,
  deviceId: "phone",
  redirectUri: "http://localhost:43823/callback",
};

test("behind the proxy that init configures, a stranger's failed sign-ins do not lock out the owner", async (t) => {
  const { folder, path, written, change } = await init(
    t,
    "--sync-base-url https://sync.example.com --sync-redirect-uri http://localhost:43823/callback",
  );
  assert.deepEqual(written["trustedProxies"], LOCAL);
  const words = ["sync", "account", "create", "--username", "ada", "--password-stdin"];
  const created = await runInside(folder, words, { input: PASSWORD });
  assert.equal(created.code, 0, created.stderr);
  const server = await serve(t, path);
  for (let round = 0; round < 5; round++) {
    const attempt = { ...device, username: `made-up-${round}`, password: "wrong horse battery" };
    await assert.rejects(signIn(server.askFrom(STRANGER), attempt), /complete returned 401/);
  }
  const stranger = signIn(server.askFrom(STRANGER), { ...device, username: "ada" });
  await assert.rejects(stranger, /begin returned 429/);
  const tokens = await signIn(server.askFrom(OWNER), { ...device, username: "ada" });
  assert.equal(tokens.deviceId, "phone");
  assert.equal(server.countNotices(), 0);
  await server.end();

  // Without trust in the proxy, the log says so.
  await change({ trustedProxies: [] });
  const untrusting = await serve(t, path);
  for (let round = 0; round < 2; round++) {
    assert.equal((await untrusting.askFrom(OWNER)("/v1/health")).status, 200);
  }
  await untrusting.end();
  assert.equal(untrusting.countNotices(), 1);
});

for (const [words, expected] of [
  ["--base-url https://releases.example.com", LOCAL],
  ["--smart-download-url https://get.example.com", LOCAL],
  [
    "--events-base-url https://events.example.com --events-client-id app --events-redirect-uri app://callback",
    LOCAL,
  ],
  ["--sync-base-url http://localhost:4811 --sync-redirect-uri app://callback", undefined],
] as const) {
  test(`init ${words} trusts ${expected === undefined ? "no proxy" : "the proxy on this machine"}`, async (t) => {
    const { written } = await init(t, words);
    assert.deepEqual(written["trustedProxies"], expected);
  });
}

test("doctor reports a proxy on this machine that is not trusted", async (t) => {
  const { folder, change } = await init(
    t,
    "--base-url https://releases.example.invalid --sync-base-url https://sync.example.invalid --sync-redirect-uri app://callback",
  );
  assert.deepEqual((await diagnose(folder)).found, [
    { level: "ok", subject: "trusted proxies", message: "the proxy on this machine is trusted" },
  ]);
  const sync = { baseUrl: "https://sync.example.invalid" };
  const at = (host: string) => ({ ...sync, listen: { host } });
  for (const [settings, level] of [
    [{ trustedProxies: [] }, "error"],
    [{ trustedProxies: ["10.0.0.0/8"] }, "error"],
    [{ trustedProxies: ["127.0.0.0/8"] }, "ok"],
    [{ trustedProxies: ["127.0.0.1"], sync: at("::1") }, "error"],
    [{ trustedProxies: ["127.0.0.1"], sync: at("localhost") }, "error"],
    [{ trustedProxies: ["127.0.0.1"], sync: at("127.0.0.2") }, "ok"],
    // A proxy on another machine: its address is not known.
    [{ trustedProxies: [], release: undefined, sync: at("0.0.0.0") }, undefined],
    [{ trustedProxies: [], release: undefined, sync: {} }, undefined],
  ] as const) {
    await change(settings);
    const { code, found } = await diagnose(folder);
    assert.equal(found[0]?.level, level, JSON.stringify(settings));
    if (level !== "error") continue;
    assert.equal(code, 1);
    assert.match(found[0]?.message ?? "", /sync\.baseUrl/);
    assert.match(found[0]?.remedy ?? "", /"trustedProxies": \["127\.0\.0\.1","::1"\]/);
  }
});
