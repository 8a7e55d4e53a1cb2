import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createNamedPipe } from "../../test/fixtures/named-pipe.ts";
import { createProcessDriver, type ProcessDriverOptions } from "./process-driver.ts";

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "trellis-driver-"));
});
after(() => rm(folder, { recursive: true }));

/** Runs a driver that is this shell script. */
const runScript = (script: string, options?: ProcessDriverOptions, input: object = {}) =>
  createProcessDriver(["sh", "-c", script], options).run(input);

async function reasonOf(script: string, options?: ProcessDriverOptions): Promise<string> {
  const { result } = await runScript(script, options);
  return result.kind === "failed" ? result.reason : `printed ${JSON.stringify(result.value)}`;
}

test("a driver gets its task on standard input, and prints a result", async () => {
  const { result, notes } = await runScript("cat; echo note >&2", {}, { do: "sync" });
  assert.deepEqual(result, { kind: "done", value: { do: "sync" } });
  assert.equal(notes, "note\n");
});

test("a driver may leave its task unread", async () => {
  const { result } = await runScript("echo '{}'", {}, { long: "x".repeat(1_000_000) });
  assert.equal(result.kind, "done");
});

test("a driver is named by its command", () => {
  assert.equal(createProcessDriver(["./my-driver", "--fast"]).name, "./my-driver --fast");
});

describe("one sentence says what is wrong with a driver that", () => {
  for (const [what, script, reason] of [
    ["prints nothing", "true", "printed no JSON object but nothing"],
    ["prints something else", "echo hello; echo", "printed no JSON object but hello"],
    [
      "prints a byte order mark",
      String.raw`printf '\357\273\277{}'`,
      "printed a byte order mark before its result",
    ],
    ["prints a list", "echo '[1]'", "printed no JSON object but [1]"],
    ["prints two objects", "echo '{} {}'", "printed no JSON object but {} {}"],
    [
      "fails",
      "echo first >&2; echo 'no such thing' >&2; exit 3",
      "ended with exit code 3: no such thing",
    ],
    ["crashes", "kill -SEGV $$", "ended by the signal SIGSEGV"],
  ] as const) {
    test(what, async () => assert.equal(await reasonOf(script), reason));
  }

  test("hangs", async () => {
    const reason = await reasonOf("echo '{}'; exec sleep 600", { timeoutMs: 200 });
    assert.equal(reason, "did not end within 0.2 s");
  });

  test("prints without end, on either output", async () => {
    const options = { maxOutputBytes: 64 * 1024 };
    assert.equal(await reasonOf("exec yes", options), "printed more than 64 KiB");
    assert.equal(await reasonOf("exec yes >&2", options), "printed more than 64 KiB");
  });

  test("does not exist, or is no program", async () => {
    const run = async (program: string) => (await createProcessDriver([program]).run({})).result;
    const file = join(folder, "not-executable");
    await writeFile(file, "text");
    const reason = "cannot be started: there is no such program";
    assert.deepEqual(await run(join(folder, "absent")), { kind: "failed", reason });
    assert.deepEqual(await run(file), {
      kind: "failed",
      reason: "cannot be started: it is not executable",
    });
  });

  test("leaves a process behind, which is ended", async (t) => {
    const { path, waitForEnd } = await createNamedPipe(t);
    const reason = await reasonOf(`sleep 600 > "${path}" & echo '{}'`);
    assert.equal(reason, "left processes running when it ended");
    await waitForEnd();
  });
});

test("what a driver started ends with it when it hangs", async (t) => {
  const { path, waitForEnd } = await createNamedPipe(t);
  const reason = await reasonOf(`sleep 600 > "${path}" & wait`, { timeoutMs: 300 });
  assert.equal(reason, "did not end within 0.3 s");
  await waitForEnd();
});

test("an aborted run ends its driver", async () => {
  const abort = new AbortController();
  const running = reasonOf("exec sleep 600", { signal: abort.signal });
  abort.abort();
  assert.equal(await running, "was ended with the run");
});
