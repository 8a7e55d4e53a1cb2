import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { askPerson, isOnThisMachine } from "../../src/cli/commands/conformance/ask-person.ts";
import { type ConformanceReport } from "../../conformance/index.ts";
import { EVENTS_CASES } from "../../conformance/events/check-events.ts";
import { freePort } from "../fixtures/free-port.ts";
import { runConformance } from "./run-conformance.ts";
import { startEventsProcess, type ServiceProcess } from "./service-process.ts";

const ACCOUNT = { username: "ada", password: "correct horse battery" };
const CLIENT = ["--client-id", "trellis-demo"];

let server: ServiceProcess;

before(async () => {
  server = await startEventsProcess({
    ...ACCOUNT,
    store: "sqlite:./data/events.db",
    settings: { baseUrl: "https://events.example.com" },
  });
});

after(async () => {
  assert.equal(await server.stop(), 0);
});

const run = (words: readonly string[], stdin?: string, env?: Record<string, string>) =>
  runConformance(["events", ...words], stdin, env);

const signedIn = (...words: string[]) =>
  run(
    [server.url, ...CLIENT, "--username", ACCOUNT.username, "--password-stdin", ...words],
    `${ACCOUNT.password}\n`,
  );

test("a compatible service: a line for each case of the contract, and exit code 0", async () => {
  const { code, stdout } = await signedIn("--public-url", "https://events.example.com");
  assert.equal(code, 0, stdout);
  assert.match(stdout, /to the events contract, level contract$/m);
  assert.match(stdout, /^pass {2}codes-work-once$/m);
  assert.doesNotMatch(stdout, /metadata-describes-the-service/);
  assert.match(stdout, /, 0 failed, 0 skipped: compatible$/m);
});

test("the level trellis has more cases, and a broken requirement is exit code 1", async () => {
  const words = ["--level", "trellis", "--only", "metadata-describes-the-service"];
  const { code, stdout, stderr } = await signedIn(...words);
  assert.equal(code, 1);
  assert.match(stdout, /asked {5}GET \/\.well-known\/.*\n {6}expected {2}issuer "http:/);
  assert.match(stdout, /see {7}Trellis decision, events service: RFC 8414/);
  assert.match(stderr, /^1 of 1 tested requirements are broken$/m);
});

test("--json prints the report for programs, without a secret in it", async () => {
  const { code, stdout } = await signedIn("--json", "--only", "code-redeems-for-an-access-token");
  assert.equal(code, 0);
  const report = JSON.parse(stdout) as ConformanceReport;
  assert.deepEqual([report.service, report.level, report.passed], ["events", "contract", 1]);
  assert.doesNotMatch(stdout, /tre_at_|correct horse/);
});

test("an access token from standard input or the environment tests the list alone", async () => {
  const words = [server.url, "--only", "events-are-a-json-object"];
  const responses = [
    await run([...words, "--access-token-stdin"], "not-a-token\n"),
    await run(words, "", { TRELLIS_CONFORMANCE_ACCESS_TOKEN: "not-a-token" }),
  ];
  for (const { code, stdout } of responses) {
    assert.equal(code, 1);
    assert.match(stdout, /asked {5}GET \/api\/events\?limit=500 \(Authorization: Bearer …\)/);
    assert.match(stdout, /got {7}status 401/);
    assert.doesNotMatch(stdout, /not-a-token/);
  }
});

test("without an account or a token the cases that need one are skipped with the option to give", async () => {
  const { code, stdout } = await run([server.url]);
  assert.equal(code, 0, stdout);
  assert.match(stdout, /^pass {2}events-need-a-token$/m);
  assert.match(stdout, /^skip {2}codes-work-once\n {6}No client is known; .*--client-id$/m);
  const known = await run([server.url, ...CLIENT]);
  assert.match(known.stdout, /^skip {2}codes-work-once\n {6}No account can allow the client; /m);
});

test("a wrong password is one error before any case runs", async () => {
  const words = [server.url, ...CLIENT, "--username", ACCOUNT.username, "--password-stdin"];
  const { code, stderr } = await run(words, "not the password\n");
  assert.equal(code, 1);
  assert.match(stderr, /^The service refuses "ada" with this password/);
});

test("--list names every case, or those of a level, without a server", async () => {
  const { code, stdout } = await run(["--list"]);
  assert.equal(code, 0);
  for (const { id } of EVENTS_CASES) assert.ok(stdout.includes(`${id}\n`), id);
  const contract = await run(["--list", "--level", "contract"]);
  assert.match(contract.stdout, /^codes-work-once$/m);
  assert.doesNotMatch(contract.stdout, /^head-has-no-body$/m);
});

test("an unreachable address is an error with exit code 1", async () => {
  const { code, stderr } = await run(["http://127.0.0.1:9", ...CLIENT]);
  assert.equal(code, 1);
  assert.match(stderr, /^No server responds at http:\/\/127\.0\.0\.1:9: check the address/);
});

test("wrong arguments are usage errors with exit code 2", async () => {
  for (const [words, message] of [
    [[], /Missing argument URL/],
    [["events.example.com"], /URL must be an absolute http or https address/],
    [[server.url, "--level", "all"], /--level must be contract or trellis, not "all"/],
    [[server.url, "--password-stdin"], /Missing option --username/],
    [[server.url, "--username", "ada"], /There is no terminal to ask for the password/],
    [
      [server.url, "--username", "ada", "--password-stdin", "--access-token-stdin"],
      /Give either --password-stdin or --access-token-stdin/,
    ],
    [[server.url, "--only", "no-such-case"], /Unknown case "no-such-case"/],
  ] as const) {
    const { code, stderr } = await run(words);
    assert.equal(code, 2, stderr);
    assert.match(stderr, message);
  }
});

test("the command prints the address to open, and takes the redirect of the browser", async (t) => {
  const origin = `http://127.0.0.1:${await freePort()}`;
  const redirectUri = `${origin}/callback`;
  // A redirect ends the listener, which else waits for ten minutes when this test fails.
  t.after(() => fetch(redirectUri).catch(() => {}));
  const told = Promise.withResolvers<string>();
  const address = "https://events.example.com/api/oauth/authorize";
  const came = askPerson(address, redirectUri, (...lines) => told.resolve(lines.join("\n")));
  assert.ok((await told.promise).endsWith(`\n  ${address}`));
  assert.equal((await fetch(`${origin}/favicon.ico`)).status, 404);
  const page = await fetch(`${redirectUri}?code=c&state=s`);
  assert.match(await page.text(), /You can close this tab/);
  assert.equal(await came, `${redirectUri}?code=c&state=s`);
});

test("only a loopback redirect URI reaches the command", () => {
  assert.ok(isOnThisMachine("http://localhost:43823/callback"));
  assert.ok(isOnThisMachine("http://[::1]:43823/callback"));
  assert.ok(isOnThisMachine("http://app.localhost:43823/callback"));
  for (const uri of ["demo-app://auth/callback", "https://app.example/x", "http://localhost/x"]) {
    assert.ok(!isOnThisMachine(uri), uri);
  }
});
