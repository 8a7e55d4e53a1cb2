import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { after, before, test } from "node:test";
import type { Terminal } from "../../src/cli/command.ts";
import { askPerson, isOnThisMachine } from "../../src/cli/commands/conformance/ask-person.ts";
import { conformanceCommands } from "../../src/cli/commands/conformance/index.ts";
import { runCommandLine } from "../../src/cli/run.ts";
import { EVENTS_CASES, type ConformanceReport } from "../../src/conformance/index.ts";
import { startEventsProcess, type EventsProcess } from "./events-process.ts";

const ACCOUNT = { username: "ada", password: "correct horse battery" };
const CLIENT = ["--client-id", "trellis-demo"];

let server: EventsProcess;

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

async function run(words: readonly string[], stdin = "", env: Terminal["env"] = {}) {
  let stdout = "";
  let stderr = "";
  const terminal = {
    stdin: Object.assign(Readable.from([stdin]), { isTTY: false }),
    stdout: { isTTY: false, write: (text: string) => void (stdout += text) },
    stderr: { isTTY: false, write: (text: string) => void (stderr += text) },
    env,
  } as unknown as Terminal;
  const code = await runCommandLine(conformanceCommands, ["events", ...words], terminal);
  return { code, stdout, stderr };
}

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

test("the other level asks for more, and says what is broken, with exit code 1", async () => {
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

test("an access token comes from standard input or the environment, for the list alone", async () => {
  const words = [server.url, "--only", "events-are-a-json-object"];
  const answers = [
    await run([...words, "--access-token-stdin"], "not-a-token\n"),
    await run(words, "", { TRELLIS_CONFORMANCE_ACCESS_TOKEN: "not-a-token" }),
  ];
  for (const { code, stdout } of answers) {
    assert.equal(code, 1);
    assert.match(stdout, /asked {5}GET \/api\/events\?limit=500 \(Authorization: Bearer …\)/);
    assert.match(stdout, /got {7}status 401/);
    assert.doesNotMatch(stdout, /not-a-token/);
  }
});

test("with nothing given, what needs a person is skipped with what to give", async () => {
  const { code, stdout } = await run([server.url]);
  assert.equal(code, 0, stdout);
  assert.match(stdout, /^pass {2}events-need-a-token$/m);
  assert.match(stdout, /^skip {2}codes-work-once\n {6}No client is known; .*--client-id$/m);
  const known = await run([server.url, ...CLIENT]);
  assert.match(known.stdout, /^skip {2}codes-work-once\n {6}Nobody can allow the client; /m);
});

test("a wrong password is said once, before anything is tested", async () => {
  const words = [server.url, ...CLIENT, "--username", ACCOUNT.username, "--password-stdin"];
  const { code, stderr } = await run(words, "not the password\n");
  assert.equal(code, 1);
  assert.match(stderr, /^The service refuses "ada" with this password/);
});

test("--list names every case, or those of a level, without asking any server", async () => {
  const { code, stdout } = await run(["--list"]);
  assert.equal(code, 0);
  for (const { id } of EVENTS_CASES) assert.ok(stdout.includes(`${id}\n`), id);
  const contract = await run(["--list", "--level", "contract"]);
  assert.match(contract.stdout, /^codes-work-once$/m);
  assert.doesNotMatch(contract.stdout, /^head-has-no-body$/m);
});

test("an address at which nobody answers is named, with exit code 1", async () => {
  const { code, stderr } = await run(["http://127.0.0.1:9", ...CLIENT]);
  assert.equal(code, 1);
  assert.match(stderr, /^No server answers at http:\/\/127\.0\.0\.1:9: check the address/);
});

test("wrong words are explained with exit code 2", async () => {
  for (const [words, message] of [
    [[], /Missing argument URL/],
    [["events.example.com"], /URL must be an absolute http or https address/],
    [[server.url, "--level", "all"], /--level must be contract or trellis, not "all"/],
    [[server.url, "--password-stdin"], /Missing option --username/],
    [[server.url, "--username", "ada"], /There is no terminal to type the password at/],
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

test("whoever sits at the terminal is told the address, and the answer of the browser is taken", async () => {
  const redirectUri = "http://127.0.0.1:43829/callback";
  const told = Promise.withResolvers<string>();
  const came = askPerson("https://events.example.com/api/oauth/authorize", redirectUri, (text) =>
    told.resolve(text),
  );
  assert.match(await told.promise, /\n {2}https:\/\/events\.example\.com\/api\/oauth\/authorize$/);
  assert.equal((await fetch("http://127.0.0.1:43829/favicon.ico")).status, 404);
  const page = await fetch(`${redirectUri}?code=c&state=s`);
  assert.match(await page.text(), /You can close this tab/);
  assert.equal(await came, `${redirectUri}?code=c&state=s`);
});

test("only a browser of this machine can come back", () => {
  assert.ok(isOnThisMachine("http://localhost:43823/callback"));
  assert.ok(isOnThisMachine("http://[::1]:43823/callback"));
  for (const uri of ["demo-app://auth/callback", "https://app.example/x", "http://localhost/x"]) {
    assert.ok(!isOnThisMachine(uri), uri);
  }
});
