/** From nothing to a published, verified and withdrawn release; guide.test.ts gives each change a process of its own. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { releaseFilesText } from "../../../src/rules/release/release-files.ts";
import { runInside } from "../../fixtures/run-inside.ts";
import { runTrellis, type Ending } from "../../fixtures/run-trellis.ts";

const HOST = "https://downloads.example.com";
let place: string;

before(() => {
  place = mkdtempSync(join(tmpdir(), "trellis-publish-"));
  writeFileSync(join(place, "trellis.config.json"), '{ "release": {} }');
});
after(() => rmSync(place, { recursive: true, force: true }));

async function release(...words: string[]) {
  return readResult(words, await runInside(place, ["release", ...words, "--json"]));
}

/** As `release`, in a process of its own. */
async function releaseApart(...words: string[]) {
  return readResult(words, await runTrellis(place, ["release", ...words, "--json"]));
}

function readResult(words: readonly string[], { code, stdout, stderr }: Ending) {
  assert.equal(code, 0, `${words.join(" ")}: ${stdout}${stderr}`);
  return JSON.parse(stdout);
}

async function refused(...words: string[]): Promise<string> {
  const { code, stdout } = await runInside(place, ["release", ...words, "--json"]);
  assert.equal(code, 1, `${words.join(" ")}: ${stdout}`);
  return JSON.parse(stdout).error;
}

function artifact(version: string, fileName: string, platform: string, architecture: string) {
  writeFileSync(join(place, fileName), `${fileName} ${"x".repeat(1000)}`);
  const url = `${HOST}/${version}/${fileName}`;
  return [
    "add-artifact",
    version,
    join(place, fileName),
    "--platform",
    platform,
    "--architecture",
    architecture,
    "--url",
    url,
  ];
}

const TARGETS = [
  ["android", "universal"],
  ["windows", "x64"],
  ["linux", "x64"],
  ["linux", "arm64"],
  ["macos", "universal"],
] as const;

describe("the first releases of an app", { concurrency: false }, () => {
  test("init creates a catalogue only once", async () => {
    const targets = TARGETS.flatMap((target) => ["--target", target.join("/")]);
    await release("init", "--product", "habits", ...targets, "--host", "downloads.example.com");
    assert.match(await refused("init", "--product", "habits"), /already a catalogue/);
    assert.match(await refused("sign"), /no signing key yet/);
  });

  test("the first keys are an active and a standby one, private to their owner", async () => {
    const { keys } = await release("key", "new");
    assert.deepEqual(
      keys.map(({ role }: { role: string }) => role),
      ["active", "standby"],
    );
    for (const { path, publicKey } of keys) {
      assert.equal(statSync(path).mode & 0o777, 0o600);
      assert.equal(statSync(join(path, "..")).mode & 0o777, 0o700);
      assert.match(publicKey, /^[A-Za-z0-9_-]{43}$/);
      assert.match(readFileSync(path, "utf8"), /^-----BEGIN PRIVATE KEY-----\n/);
    }
    const shown = await runTrellis(place, ["release", "key", "show"]);
    assert.equal(shown.stdout.includes("PRIVATE KEY-----"), false);
  });

  test("five build jobs add their artifacts at once and none is lost", async () => {
    await release("new", "1.0.0", "--build", "1");
    await Promise.all(
      TARGETS.map(([platform, architecture]) =>
        releaseApart(
          ...artifact("1.0.0", `habits-1.0.0-${platform}-${architecture}`, platform, architecture),
          ...(platform === "android" ? ["--distribution", "direct"] : []),
        ),
      ),
    );
    const draft = JSON.parse(readFileSync(join(place, "catalog/releases/1.0.0.json"), "utf8"));
    assert.deepEqual(
      draft.artifacts.map(({ fileName }: { fileName: string }) => fileName).toSorted(),
      TARGETS.map(([platform, arch]) => `habits-1.0.0-${platform}-${arch}`).toSorted(),
    );
    const { errors, incomplete } = await release("check");
    assert.deepEqual({ errors, incomplete }, { errors: [], incomplete: [] });
  });

  test("publish, verify from the folder, from a file and from a service", async () => {
    const { manifest } = await release("publish", "1.0.0");
    assert.equal(manifest.sequence, 1);
    assert.equal((await release("verify")).sequence, 1);
    const path = join(place, "catalog/manifest.json");
    const keys = join(place, "catalog/keys.json");
    assert.equal((await release("verify", path, "--keys", keys)).product, "habits");

    const envelope = readFileSync(path);
    const paths: (string | undefined)[] = [];
    const files = releaseFilesText(
      JSON.parse(readFileSync(join(place, "catalog/releases/1.0.0.json"), "utf8")),
    );
    const server = createServer((request, response) => {
      paths.push(request.url);
      response.end(request.url === "/feeds/files/1.0.0" ? files : envelope);
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await release("verify", origin);
    await release("verify", `${origin}/static/manifest.json`);
    server.close();
    assert.deepEqual(paths, ["/api/v1/manifest", "/feeds/files/1.0.0", "/static/manifest.json"]);
    assert.match(await refused("verify", origin), / does not respond: nothing listens/);
  });

  test("a changed envelope is not genuine", async () => {
    const path = join(place, "changed.json");
    const envelope = JSON.parse(readFileSync(join(place, "catalog/manifest.json"), "utf8"));
    const payload = Buffer.from(envelope.payload, "base64url").toString().replace("1.0.0", "1.0.9");
    envelope.payload = Buffer.from(payload).toString("base64url");
    writeFileSync(path, JSON.stringify(envelope));
    assert.match(await refused("verify", path), /did not make/);
  });

  test("a second release is published, the first can no longer change", async () => {
    assert.match(await refused("new", "1.1.0", "--build", "1"), /use --build 2/);
    assert.match(await refused("new", "0.9.0", "--build", "2"), /older than 1\.0\.0/);
    await release("new", "1.1.0", "--build", "2", "--mandatory-after", "2026-01-01T00:00:00Z");
    assert.match(await refused("publish", "1.1.0"), /no artifact for android\/universal, windows/);
    const frozen = artifact("1.0.0", "late-1.0.0.exe", "windows", "x64");
    assert.match(await refused(...frozen), /never changes/);
    for (const [platform, architecture] of TARGETS) {
      const distribution = platform === "android" ? ["--distribution", "direct"] : [];
      const words = artifact(
        "1.1.0",
        `h-1.1.0-${platform}-${architecture}`,
        platform,
        architecture,
      );
      const { code, stderr } = await runInside(place, ["release", ...words, ...distribution]);
      assert.equal(code, 0, stderr);
    }
    assert.match(await refused("publish", "1.1.0", "--at", "2020-01-01T00:00:00Z"), /is not after/);
    const { manifest } = await release("publish", "1.1.0");
    assert.equal(manifest.sequence, 2);
    const client = ["--platform", "linux", "--version", "1.0.0", "--build", "1"];
    const { decision, rules } = await release("decide", ...client);
    assert.equal(decision.mandatory, true);
    assert.deepEqual(rules, ["newer-build", "newer-version", "deadline-passed"]);
  });

  test("the newest release is withdrawn only with a successor, and history keeps it", async () => {
    const reason = ["--reason", "Loses reminders"];
    assert.match(await refused("withdraw", "1.1.0", ...reason), /--replaced-by 1\.0\.0/);
    assert.match(
      await refused("withdraw", "1.1.0", ...reason, "--replaced-by", "1.1.0"),
      /not another published release/,
    );
    const { latest } = await release(
      "withdraw",
      "1.1.0",
      ...reason,
      "--replaced-by",
      "1.0.0",
      "--yes",
    );
    assert.equal(latest.version, "1.0.0");
    assert.match(await refused("publish", "1.1.0"), /does not return/);
    const verified = await release("verify");
    assert.deepEqual([verified.sequence, verified.withdrawn], [3, ["1.1.0"]]);
  });

  test("sign continues the sequence; with --if-older-than it signs only when due", async () => {
    assert.equal((await release("sign", "--if-older-than", "7")).isSigned, false);
    const { isSigned, manifest } = await release("sign");
    assert.deepEqual([isSigned, manifest.sequence], [true, 4]);
    const status = await release("status");
    assert.deepEqual(status.channels.stable, {
      latest: { version: "1.0.0", buildNumber: 1 },
      published: 1,
      drafts: 0,
      withdrawn: 1,
      rollout: null,
    });
  });

  test("rotation: the standby key signs, and an app that pins the first ring accepts it", async () => {
    const pinned = join(place, "pinned.json");
    writeFileSync(pinned, readFileSync(join(place, "catalog/keys.json")));
    const { keys } = await release("key", "new");
    assert.equal(keys[0].role, "unused");
    // The active key may be lost: it is not needed.
    rmSync(
      join(place, "data/keys", `${Object.keys(JSON.parse(readFileSync(pinned, "utf8")))[0]}.pem`),
    );
    assert.match(await refused("sign"), /key rotate/);
    const { signing, manifest } = await release(
      "key",
      "rotate",
      "--standby",
      keys[0].keyId,
      "--yes",
    );
    assert.equal(signing.standby, keys[0].keyId);
    assert.equal(manifest.sequence, 5);
    assert.equal((await release("verify", "--keys", pinned)).keyId, signing.active);
    assert.equal((await release("sign")).manifest.keyId, signing.active);
  });

  test("a changed published file is found, and no change is possible", async () => {
    const path = join(place, "catalog/releases/1.0.0.json");
    const original = readFileSync(path, "utf8");
    writeFileSync(path, original.replace('"signed": false', '"signed": true'));
    const { code, stdout } = await runInside(place, ["release", "check"]);
    assert.equal(code, 1);
    assert.match(stdout, /^releases\/1\.0\.0\.json: artifacts\[\d\]\.signed differs from what was/);
    assert.match(await refused("sign"), /not valid/);
    assert.equal((await runInside(place, ["release", "status"])).code, 1);
    writeFileSync(path, original);
    assert.equal((await release("check")).errors.length, 0);
  });

  test("an error in the download page is told by check, and stops no publication", async () => {
    const path = join(place, "catalog/site.json");
    writeFileSync(path, JSON.stringify({ schemaVersion: 1, name: "Habits", logo: "logo.png" }));
    const { code, stdout } = await runInside(place, ["release", "check"]);
    assert.equal(code, 1);
    assert.match(stdout, /^site\.json: logo "site\/logo\.png" is missing; put the picture into/);
    await release("sign");
    rmSync(path);
  });

  test("a lost manifest does not begin again at 1", async () => {
    rmSync(join(place, "catalog/manifest.json"));
    assert.match(await refused("sign"), /sign --sequence N/);
    assert.equal((await release("sign", "--sequence", "50")).manifest.sequence, 50);
    assert.match(await refused("sign", "--sequence", "60"), /for a lost manifest/);
  });

  test("wrong use exits 2 and says what is expected", async () => {
    for (const words of [
      ["publish"],
      ["publish", "1.0"],
      ["new", "2.0.0"],
      ["new", "2.0.0", "--build", "05"],
      ["add-artifact", "2.0.0", "f", "--platform", "amiga", "--architecture", "x", "--url", HOST],
      [
        "add-artifact",
        "2.0.0",
        "f",
        "--platform",
        "linux",
        "--architecture",
        "x",
        "--url",
        "ftp://x",
      ],
      ["decide", "--platform", "ios", "--version", "1.0.0", "--build", "1"],
      ["init"],
      ["init", "--product", "habits", "--host", "https://downloads.example.com"],
      ["init", "--product", "habits", "--host", "downloads.example.com/files"],
      ["publish", "1.0.0", "--unknown"],
    ]) {
      const { code, stderr } = await runInside(place, ["release", ...words]);
      assert.equal(code, 2, words.join(" "));
      assert.notEqual(stderr, "");
    }
  });
});
