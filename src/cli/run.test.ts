import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { rootCommand } from "./commands/root.ts";
import {
  CommandError,
  UsageError,
  type Command,
  type CommandEntry,
  type CommandGroup,
  type Terminal,
} from "./command.ts";
import { isGroup } from "./parse-command-line.ts";
import { runCommandLine } from "./run.ts";

async function run(root: CommandGroup, words: readonly string[], env: Terminal["env"] = {}) {
  let stdout = "";
  let stderr = "";
  const terminal = {
    stdin: { isTTY: true },
    stdout: { isTTY: true, write: (text: string) => void (stdout += text) },
    stderr: { write: (text: string) => void (stderr += text) },
    env,
  } as unknown as Terminal;
  const code = await runCommandLine(root, words, terminal);
  return { code, stdout, stderr };
}

const treeOf = (run: Command["run"]): CommandGroup => ({
  summary: "x",
  commands: { go: { summary: "x", load: async () => ({ run }) } },
});
const failing = (error: unknown) =>
  treeOf(async () => {
    throw error;
  });

function listCommands(
  target: CommandEntry | CommandGroup,
  path: readonly string[] = [],
): string[][] {
  if (!isGroup(target)) return [[...path]];
  const inner = Object.entries(target.commands).flatMap(([word, entry]) =>
    listCommands(entry, [...path, word]),
  );
  return [[...path], ...inner];
}

for (const path of listCommands(rootCommand)) {
  const name = ["trellis", ...path].join(" ");
  test(`${name} --help prints its summary and usage and exits 0`, async () => {
    for (const flag of ["--help", "-h"]) {
      const { code, stdout, stderr } = await run(rootCommand, [...path, flag]);
      assert.equal(code, 0);
      assert.equal(stderr, "");
      const [title = "", ...rest] = stdout.split("\n");
      assert.ok(title.startsWith(`${name}: `), title);
      assert.match(rest.join("\n"), new RegExp(`^Usage: ${name}`, "m"));
      for (const line of stdout.split("\n")) {
        // A path in an example cannot be wrapped.
        assert.ok(line.length <= 96 || /^ {2}trellis /.test(line), line);
        assert.equal(line, line.trimEnd());
      }
    }
  });

  test(`${name} refuses an unknown option with exit code 2`, async () => {
    const { code, stdout, stderr } = await run(rootCommand, [...path, "--no-such-option"]);
    assert.equal(code, 2);
    assert.equal(stdout, "");
    assert.match(stderr, /Unknown option "--no-such-option"/);
    assert.match(stderr, /--help/);
  });
}

test("--help takes precedence over every usage error", async () => {
  const { code } = await run(rootCommand, ["serve", "--nonsense", "--workers", "--help"]);
  assert.equal(code, 0);
});

test("a group without a command shows its help as an error", async () => {
  const { code, stdout, stderr } = await run(rootCommand, []);
  assert.equal(code, 2);
  assert.equal(stdout, "");
  assert.match(stderr, /Commands:/);
});

test("print is for people and json for programs", async () => {
  const tree = treeOf(async (context) => {
    context.print("for people");
    context.json({ for: "programs" });
    context.warn("for both");
  });
  const plain = await run(tree, ["go"]);
  assert.deepEqual(plain, { code: 0, stdout: "for people\n", stderr: "for both\n" });
  const json = await run(tree, ["go", "--json"]);
  assert.deepEqual(JSON.parse(json.stdout), { for: "programs" });
  assert.equal(json.stderr, "for both\n");
});

test("a command is never interactive under --json", async () => {
  const seen: boolean[] = [];
  const tree = treeOf(async ({ isInteractive }) => void seen.push(isInteractive));
  await run(tree, ["go"]);
  await run(tree, ["go", "--json"]);
  assert.deepEqual(seen, [true, false]);
});

test("an expected failure is one sentence, exit code 1 and no stack", async () => {
  const { code, stdout, stderr } = await run(failing(new CommandError("Cannot do it: try later")), [
    "go",
  ]);
  assert.deepEqual(
    { code, stdout, stderr },
    { code: 1, stdout: "", stderr: "Cannot do it: try later\n" },
  );
});

test("a usage error is exit code 2 and refers to the help", async () => {
  const { code, stderr } = await run(failing(new UsageError("Wrong")), ["go"]);
  assert.equal(code, 2);
  assert.equal(stderr, "Wrong\nAdd --help to see the usage\n");
});

test("an unexpected error prints its stack", async () => {
  const { code, stderr } = await run(failing(new TypeError("oops")), ["go"]);
  assert.equal(code, 1);
  assert.match(stderr, /oops\n[^]*run\.test\.ts/);
});

test("every error is JSON under --json, with its details", async () => {
  for (const [error, code, expected] of [
    [new CommandError("No", { errors: ["a"] }), 1, { error: "No", errors: ["a"] }],
    [new UsageError("Wrong"), 2, { error: "Wrong" }],
    [new TypeError("oops"), 1, { error: "oops" }],
    ["text", 1, { error: "text" }],
  ] as const) {
    const result = await run(failing(error), ["go", "--json"]);
    assert.equal(result.code, code);
    assert.equal(result.stderr, "");
    assert.deepEqual(JSON.parse(result.stdout), expected);
  }
  const unknown = await run(rootCommand, ["bananas", "--json"]);
  assert.equal(unknown.code, 2);
  assert.match((JSON.parse(unknown.stdout) as { error: string }).error, /Unknown command/);
});

test("the configuration is read only when a command needs it, and the file of --config must exist", async () => {
  const path = join(tmpdir(), "trellis-no-such-file.json");
  const idle = treeOf(async () => {});
  assert.equal((await run(idle, ["go", "--config", path])).code, 0);
  const reading = treeOf(async ({ configuration }) => void (await configuration()));
  const { code, stderr } = await run(reading, ["go", "--config", path]);
  assert.equal(code, 1);
  assert.match(
    stderr,
    /trellis-no-such-file\.json":\n {2}there is no such file; check --config\n$/,
  );
});

test("a wrong environment variable is reported without a stack", async () => {
  const reading = treeOf(async ({ configuration }) => void (await configuration()));
  const { code, stderr } = await run(reading, ["go"], { TRELLIS_HTTP_STOP_SECONDS: "never" });
  assert.equal(code, 1);
  assert.match(stderr, /http\.stopSeconds must be an integer from 1 to 3600, not "never"/);
  assert.doesNotMatch(stderr, /\n\s+at /);
});

for (const words of [
  ["serve", "--workers", "0"],
  ["serve", "--workers", "x"],
  ["serve", "nonsense"],
]) {
  test(`trellis ${words.join(" ")} is a usage error, whatever the configuration`, async () => {
    const { code, stderr } = await run(rootCommand, words);
    assert.equal(code, 2, stderr);
  });
}

test("serving without any configuration says how to write one", async () => {
  const { code, stderr } = await run(rootCommand, ["serve"]);
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^Nothing to serve: there is no configuration at "[^."].*trellis\.config\.json"; .*trellis init/,
  );
});

for (const [words, expected] of [
  [["serve", "--port", "8080"], /"--port": .*sync\.listen\.port \(TRELLIS_SYNC_LISTEN_PORT\)/],
  [["serve", "-p", "8080"], /"-p": .*release\.listen\.port \(TRELLIS_RELEASE_LISTEN_PORT\)/],
  [["serve", "--host=::"], /"--host": .*events\.listen\.host \(TRELLIS_EVENTS_LISTEN_HOST\)/],
  [["dev", "--host", "::"], /"--host": `trellis dev` listens on this machine only/],
] as const) {
  test(`trellis ${words.join(" ")} says what to do instead`, async () => {
    const { code, stderr } = await run(rootCommand, words);
    assert.equal(code, 2);
    assert.match(stderr, expected);
  });
}

for (const flag of ["--version", "-v"]) {
  test(`${flag} prints the version and the build`, async () => {
    const { code, stdout } = await run(rootCommand, [flag]);
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^\d+\.\d+\.\d+ \(build (?:[0-9a-f]{8,}|unknown: neither a package nor a git checkout)\)\n$/,
    );
  });
}

test("trellis help shows what --help shows", async () => {
  for (const path of [[], ["release"], ["release", "key"], ["release", "publish"], ["help"]]) {
    const asked = await run(rootCommand, ["help", ...path]);
    assert.deepEqual(asked, await run(rootCommand, [...path, "--help"]));
    assert.equal(asked.code, 0);
  }
});

test("trellis help of an unknown command suggests a known one", async () => {
  const { code, stderr } = await run(rootCommand, ["help", "relase"]);
  assert.equal(code, 2);
  assert.match(stderr, /Unknown command "relase": did you mean `trellis release`\?/);
  const extra = await run(rootCommand, ["help", "doctor", "more"]);
  assert.equal(extra.code, 2);
  assert.match(extra.stderr, /Unexpected argument "more"/);
});
