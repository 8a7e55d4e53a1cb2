import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type ConformanceReport } from "../../conformance/index.ts";
import { SYNC_CASES } from "../../conformance/sync/check-sync.ts";
import { SYNC_CLIENT_CASES } from "../../conformance/sync/client/check-sync-client.ts";
import type { SnapshotEntity } from "../../src/contract/sync/operation.ts";
import { postJson, signIn, type Ask } from "../sync/sync-client.ts";
import { runConformance } from "./run-conformance.ts";
import { startSyncProcess, type ServiceProcess } from "./service-process.ts";

const ACCOUNT = { username: "ada", password: "correct horse battery" };

let server: ServiceProcess;

before(async () => {
  server = await startSyncProcess({
    ...ACCOUNT,
    store: "sqlite:./data/sync.db",
    settings: { baseUrl: "https://sync.example.org" },
  });
});

after(async () => {
  assert.equal(await server.stop(), 0);
});

const run = (words: readonly string[], stdin?: string) => runConformance(["sync", ...words], stdin);

const signedIn = (...words: string[]) =>
  run(
    [server.url, "--username", ACCOUNT.username, "--password-stdin", ...words],
    `${ACCOUNT.password}\n`,
  );

test("a compatible server: a line for each case, and exit code 0", async () => {
  const cases = ["code-works-once", "revoke-all-ends-every-device", "failures-are-throttled"];
  const only = [...cases, "instance-info-names-the-instance"].flatMap((id) => ["--only", id]);
  const { code, stdout } = await signedIn("--public-url", "https://sync.example.org", ...only);
  assert.equal(code, 0, stdout);
  assert.match(stdout, /^pass {2}code-works-once$/m);
  assert.match(stdout, /^skip {2}revoke-all-ends-every-device\n {6}.*--allow-revoke-all$/m);
  assert.match(stdout, /^skip {2}failures-are-throttled\n {6}.*--allow-throttle$/m);
  assert.match(stdout, /^2 passed, 0 failed, 2 skipped: compatible as far as it was tested/m);
});

test("a server that breaks a requirement: the place, the section, and exit code 1", async () => {
  const { code, stdout, stderr } = await signedIn("--only", "instance-info-names-the-instance");
  assert.equal(code, 1);
  assert.match(stdout, /asked {5}GET \/v1\/instance-info\n {6}expected {2}baseUrl "http:/);
  assert.match(stdout, /see {7}sync contract, Instance info/);
  assert.match(stderr, /^1 of 1 tested requirements are broken$/m);
});

test("--json prints the report for programs, without a secret in it", async () => {
  const { code, stdout } = await signedIn("--json", "--only", "refresh-rotates");
  assert.equal(code, 0);
  assert.equal((JSON.parse(stdout) as ConformanceReport).passed, 1);
  assert.doesNotMatch(stdout, /trs_|correct horse/);
});

test("a wrong password is one error before any case runs", async () => {
  const words = [server.url, "--username", ACCOUNT.username, "--password-stdin"];
  const { code, stderr } = await run(words, "not the password\n");
  assert.equal(code, 1);
  assert.match(stderr, /^The server refuses "ada" with this password/);
});

test("--list names every case without a server", async () => {
  const { code, stdout } = await run(["--list"]);
  assert.equal(code, 0);
  for (const { id } of SYNC_CASES) assert.ok(stdout.includes(`${id}\n`), id);
});

test("--client drives the sync client, and leaves no entity and no device behind", async () => {
  const cases = ["client-syncs-more-than-a-page", "client-follows-live-changes"];
  const only = cases.flatMap((id) => ["--only", id]);
  const { code, stdout } = await signedIn("--client", ...only);
  assert.equal(code, 0, stdout);
  assert.match(stdout, /to the sync contract, level client$/m);
  assert.match(stdout, /^pass {2}client-follows-live-changes$/m);
  assert.match(stdout, /^2 passed, 0 failed, 0 skipped: compatible$/m);
  assert.doesNotMatch(stdout, /trs_|correct horse/);
  const ask: Ask = (path, init) => fetch(server.url + path, init);
  const redirectUri = "http://localhost:43823/callback";
  const tokens = await signIn(ask, { ...ACCOUNT, deviceId: "phone", redirectUri });
  const headers = { Authorization: `Bearer ${tokens.accessToken}` };
  const { entities } = (await (await ask("/v1/snapshot", { headers })).json()) as {
    entities: SnapshotEntity[];
  };
  assert.deepEqual(
    entities.filter(({ deleted }) => !deleted).map(({ entityId }) => entityId),
    [],
  );
  const revoked = await postJson(ask, "/v1/revoke", { scope: "all" }, headers);
  assert.deepEqual(await revoked.json(), { revoked: 1 });
});

test("--client has cases of its own for --list and --only", async () => {
  const { code, stdout } = await run(["--client", "--list"]);
  assert.equal(code, 0);
  for (const { id } of SYNC_CLIENT_CASES) assert.ok(stdout.includes(`${id}\n`), id);
  assert.ok(!stdout.includes("code-works-once"));
  const unknown = await signedIn("--client", "--only", "code-works-once");
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /see `trellis conformance sync --client --list`/);
});

test("an unreachable address is an error with exit code 1", async () => {
  const words = ["http://127.0.0.1:9", "--username", "ada", "--password-stdin"];
  const { code, stderr } = await run(words, "password\n");
  assert.equal(code, 1);
  assert.match(stderr, /^No server responds at http:\/\/127\.0\.0\.1:9: check the address/);
});

test("wrong arguments are usage errors with exit code 2", async () => {
  const named = [server.url, "--username", "ada"];
  for (const [words, message] of [
    [[], /Missing argument URL/],
    [["sync.example.org"], /URL must be an absolute http or https address/],
    [[server.url], /Missing option --username/],
    [named, /There is no terminal to ask for the password: pass it with --password-stdin/],
    [[...named, "--profile", "tasks"], /--profile must be habits or open or sealed, not "tasks"/],
    [
      ["http://192.0.2.1", "--client", "--username", "ada"],
      /The sync client takes an https address, or http on this machine, not "http:\/\/192/,
    ],
    [[...named, "--only", "no-such-case"], /Unknown case "no-such-case"/],
  ] as const) {
    const { code, stderr } = await run(words);
    assert.equal(code, 2, stderr);
    assert.match(stderr, message);
  }
});
