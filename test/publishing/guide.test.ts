/** Every command of the publishing guide, as written, in an empty folder. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const GUIDE = fileURLToPath(new URL("../../docs/guides/publish-releases.md", import.meta.url));
const COMMAND_LINE = fileURLToPath(new URL("../../src/cli/trellis.ts", import.meta.url));

const missing = ["curl", "git", "openssl"].filter(
  (tool) => spawnSync(tool, ["--version"]).error !== undefined,
);

test(
  "a reader who types what the guide says gets a signed, served and verified release",
  {
    skip: missing.length > 0 && `needs ${missing.join(", ")}`,
  },
  async (t) => {
    const home = mkdtempSync(join(tmpdir(), "trellis-guide-"));
    t.after(() => rmSync(home, { recursive: true, force: true }));
    const folder = join(home, "work");
    mkdirSync(folder);
    const tools = join(home, "bin");
    mkdirSync(tools);
    writeFileSync(
      join(tools, "trellis"),
      `#!/bin/sh\nexec "${process.execPath}" "${COMMAND_LINE}" "$@"\n`,
      {
        mode: 0o755,
      },
    );

    const blocks = readFileSync(GUIDE, "utf8").matchAll(/^```sh\n(.*?)^```/gms);
    const commands = [...blocks].map(([, block = ""]) => block);
    assert.ok(commands.length > 10);
    const [api, download] = [await freePort(), await freePort()];
    const script = commands
      .join("\necho '--- next block'\n")
      .replaceAll("localhost:4801", `localhost:${api}`);
    // A reader stops at the first failure, and must not leave the service behind.
    const child = spawn(
      "sh",
      ["-e", "-c", `trap 'kill $! 2>/dev/null || true' EXIT\n${script}\nwait`],
      {
        cwd: folder,
        env: {
          PATH: `${tools}:${dirname(process.execPath)}:${process.env["PATH"]}`,
          HOME: home,
          TRELLIS_RELEASE_LISTEN_PORT: String(api),
          TRELLIS_RELEASE_SMART_DOWNLOAD_LISTEN_PORT: String(download),
        },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    const code = new Promise((resolve) => child.once("close", resolve));
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    assert.equal(await code, 0, `${stdout}\n${stderr}`);

    assert.equal(stdout.match(/--- next block/g)?.length, commands.length - 1);
    assert.match(stdout, /"version":"1\.0\.0"/);
    assert.match(stdout, new RegExp(`http://localhost:${api} is genuine`));
    assert.match(stdout, /Signature Verified Successfully/);
    assert.match(stdout, /Withdrew 1\.3\.0/);
    assert.match(stdout, /Mandatory update to 1\.3\.0/);
    assert.ok(existsSync(join(folder, "catalog/manifest.json")));
    const tracked = spawnSync("git", ["ls-files"], { cwd: folder, encoding: "utf8" }).stdout;
    assert.match(tracked, /^catalog\/manifest\.json$/m);
    assert.equal(/\.pem|\.lock|transaction/.test(tracked), false, tracked);
  },
);

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
