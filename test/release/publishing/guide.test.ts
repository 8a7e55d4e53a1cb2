/** Every command of the publishing guide, as written, in an empty folder. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { freePort } from "../../fixtures/free-port.ts";
import { runGuide } from "../../fixtures/run-guide.ts";

const missing = ["curl", "git", "openssl"].filter(
  (tool) => spawnSync(tool, ["--version"]).error !== undefined,
);

test(
  "a reader who types what the guide says gets a signed, served and verified release",
  { skip: missing.length > 0 && `needs ${missing.join(", ")}` },
  async (t) => {
    const [api, download] = [await freePort(), await freePort()];
    const { folder, code, stdout, stderr, blocks, begun } = await runGuide(
      t,
      "publish-releases.md",
      (script) => script.replaceAll("localhost:4801", `localhost:${api}`),
      {
        TRELLIS_RELEASE_LISTEN_PORT: String(api),
        TRELLIS_RELEASE_SMART_DOWNLOAD_LISTEN_PORT: String(download),
      },
    );
    assert.equal(code, 0, `${stdout}\n${stderr}`);
    assert.ok(blocks > 10);
    assert.equal(begun, blocks);
    assert.match(stdout, /"version":"1\.0\.0"/);
    assert.match(stdout, new RegExp(`http://localhost:${api} is a valid manifest`));
    assert.match(stdout, /Signature Verified Successfully/);
    assert.match(stdout, /Withdrew 1\.3\.0/);
    assert.match(stdout, /Mandatory update to 1\.3\.0/);
    assert.ok(existsSync(join(folder, "catalog/manifest.json")));
    const tracked = spawnSync("git", ["ls-files"], { cwd: folder, encoding: "utf8" }).stdout;
    assert.match(tracked, /^catalog\/manifest\.json$/m);
    assert.equal(/\.pem|\.lock|transaction/.test(tracked), false, tracked);
  },
);
