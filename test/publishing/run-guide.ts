/** Runs every `sh` block of a guide, as written, one after the other, in an empty folder. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { quickStart } from "../fixtures/quick-start.ts";

const GUIDES = fileURLToPath(new URL("../../docs/guides/", import.meta.url));
const COMMAND_LINE = fileURLToPath(new URL("../../src/cli/trellis.ts", import.meta.url));

export interface GuideRun {
  readonly folder: string;
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
  /** How many blocks the guide has, and how many were begun. */
  readonly blocks: number;
  readonly begun: number;
}

/** `adapt` may change addresses, so that the test gets ports of its own. */
export async function runGuide(
  t: Pick<TestContext, "after">,
  guide: string,
  adapt: (script: string) => string,
  env: Readonly<Record<string, string>>,
): Promise<GuideRun> {
  const home = mkdtempSync(join(tmpdir(), "trellis-guide-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const [folder, tools] = [join(home, "work"), join(home, "bin")];
  mkdirSync(folder);
  mkdirSync(tools);
  writeFileSync(
    join(tools, "trellis"),
    `#!/bin/sh\nexec "${process.execPath}" "${COMMAND_LINE}" "$@"\n`,
    { mode: 0o755 },
  );
  const found = readFileSync(join(GUIDES, guide), "utf8").matchAll(/^```sh\n(.*?)^```/gms);
  const commands = [...found].map(([, block = ""]) => `echo '--- next block'\n${block}`);
  const script = adapt(commands.join("\n"));
  // A reader stops at the first failure, and must not leave the service behind.
  const child = spawn(
    "sh",
    ["-e", "-c", `trap 'kill $! 2>/dev/null || true' EXIT\n${script}\nwait`],
    {
      cwd: folder,
      env: {
        PATH: `${tools}:${dirname(process.execPath)}:${process.env["PATH"]}`,
        HOME: home,
        ...quickStart(),
        ...env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const ended = new Promise((resolve) => child.once("close", resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const begun = stdout.match(/--- next block/g)?.length ?? 0;
  return { folder, code: await ended, stdout, stderr, blocks: commands.length, begun };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
