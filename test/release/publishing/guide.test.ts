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
    const { folder, output, blocks } = await runGuide(t, {
      page: "guides/publish-releases.md",
      adapt: (text) =>
        text
          .replaceAll("localhost:4801", `localhost:${api}`)
          // The keys get no passphrase: without a terminal the command does not ask for one.
          .replaceAll(/(key new --kind \w+)$/gm, "$1 </dev/null"),
      env: {
        TRELLIS_RELEASE_LISTEN_PORT: String(api),
        TRELLIS_RELEASE_SMART_DOWNLOAD_LISTEN_PORT: String(download),
      },
    });
    assert.ok(blocks > 10);
    assert.match(output, /"version":"1\.0\.0"/);
    assert.match(output, new RegExp(`http://localhost:${api} is a valid manifest`));
    assert.match(output, /Signature Verified Successfully/);
    assert.match(output, /Withdrew 1\.3\.0/);
    assert.match(output, /Mandatory update to 1\.3\.0/);
    assert.ok(existsSync(join(folder, "catalog/manifest.json")));
    const tracked = spawnSync("git", ["ls-files"], { cwd: folder, encoding: "utf8" }).stdout;
    assert.match(tracked, /^catalog\/manifest\.json$/m);
    assert.equal(/\.pem|\.lock|transaction/.test(tracked), false, tracked);
  },
);
