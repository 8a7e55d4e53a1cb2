/** A staged rollout: what the commands write and say, and what apps and the service do about it. */
import assert from "node:assert/strict";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import type { CatalogFile } from "../../../src/contract/release/catalog.ts";
import type {
  ManifestPayload,
  Rollout,
  SignedManifestEnvelope,
} from "../../../src/contract/release/schemas.ts";
import { createReleaseService } from "../../../src/release/service.ts";
import { createCatalogFixture, type CatalogFixture } from "../../fixtures/catalog.ts";
import { runInside } from "../../fixtures/run-inside.ts";

/** 1.0.1 to 1.0.3 are published, and drafts follow. */
async function prepare(t: TestContext, rollouts?: Rollout[], drafts = 0): Promise<CatalogFixture> {
  const settings = rollouts === undefined ? {} : { rollouts };
  const fixture = await createCatalogFixture({ releases: 3, betaEvery: 0, drafts, settings });
  t.after(() => fixture.remove());
  await writeFile(join(dirname(fixture.folder), "trellis.config.json"), '{ "release": {} }');
  return fixture;
}

// oxlint-disable-next-line typescript/no-explicit-any
async function run({ folder }: CatalogFixture, words: string): Promise<any> {
  const command = ["release", ...words.split(" "), "--json"];
  const { code, stdout } = await runInside(dirname(folder), command);
  return { code, ...JSON.parse(stdout) };
}

async function print({ folder }: CatalogFixture, words: string): Promise<string> {
  const { code, stdout, stderr } = await runInside(dirname(folder), [
    "release",
    ...words.split(" "),
  ]);
  assert.equal(code, 0, stderr);
  return stdout;
}

async function refusal(fixture: CatalogFixture, words: string): Promise<string> {
  const before = await contentOf(fixture);
  const { code, error } = await run(fixture, words);
  assert.notEqual(code, 0);
  assert.deepEqual(await contentOf(fixture), before, "nothing was changed");
  return error;
}

async function contentOf({ folder }: CatalogFixture): Promise<Record<string, string>> {
  const files = (await readdir(folder, { recursive: true })).filter((file) =>
    file.endsWith(".json"),
  );
  const texts = files.map(async (file) => [file, await readFile(join(folder, file), "utf8")]);
  return Object.fromEntries(await Promise.all(texts));
}

async function rolloutsOf({ folder }: CatalogFixture): Promise<Rollout[] | undefined> {
  const text = await readFile(join(folder, "catalog.json"), "utf8");
  return (JSON.parse(text) as CatalogFile).rollouts;
}

async function signedIn({ folder }: CatalogFixture): Promise<ManifestPayload> {
  const text = await readFile(join(folder, "manifest.json"), "utf8");
  const { payload } = JSON.parse(text) as SignedManifestEnvelope;
  return JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as ManifestPayload;
}

const rollout = (version: string, percent: number): Rollout => ({ version, percent });

test("a rollout is written and signed in one step, and told in plain words", async (t) => {
  const fixture = await prepare(t);
  const before = await signedIn(fixture);
  const text = await print(fixture, "rollout 1.0.3 --percent 25");
  assert.match(
    text,
    /Set the rollout of 1\.0\.3 \(build 3\) to 25 percent; it was offered to every/,
  );
  assert.match(
    text,
    /About a quarter of the installations are offered 1\.0\.3; the others keep 1\.0\.2/,
  );
  assert.match(text, /Installations that have 1\.0\.3 keep it/);
  assert.doesNotMatch(text, /electron-updater/, "it has the release at 25 percent too");
  assert.match(text, /Sparkle's groups count from the publication on 20.*, not from now/);
  assert.match(text, /Downloads and the API still give 1\.0\.3 to everyone/);
  const signed = await signedIn(fixture);
  assert.equal(signed.sequence, before.sequence + 1);
  assert.deepEqual(signed.rollouts, [rollout("1.0.3", 25)]);
  assert.deepEqual(await rolloutsOf(fixture), signed.rollouts);
  assert.deepEqual((await run(fixture, "check")).warnings, []);
});

test("a rollout rises, stops and rises again, and at 100 it is no longer signed", async (t) => {
  const fixture = await prepare(t);
  for (const [percent, words] of [
    [10, /About a tenth of the installations are offered 1\.0\.3/],
    [37, /About 37 percent of the installations/],
    [37, /it was 37/],
    [
      0,
      /No installation is offered 1\.0\.3: they keep 1\.0\.2\nInstallations that have.*\nExcept apps with electron-updater.*allowDowngrade = false/,
    ],
    [5, /it was 0\nAbout 5 percent/],
  ] as const) {
    assert.match(await print(fixture, `rollout 1.0.3 --percent ${percent} --yes`), words);
    assert.deepEqual((await signedIn(fixture)).rollouts, [rollout("1.0.3", percent)]);
  }
  const text = await print(fixture, "rollout 1.0.3 --percent 100 --yes");
  assert.match(text, /Every installation is offered 1\.0\.3/);
  assert.doesNotMatch(text, /Downloads|keep it|Sparkle/);
  assert.equal((await signedIn(fixture)).rollouts, undefined);
  assert.deepEqual(await rolloutsOf(fixture), [rollout("1.0.3", 100)]);
  assert.match(await refusal(fixture, "rollout 1.0.3 --percent 99"), /at 100 percent and only/);
  assert.equal((await run(fixture, "rollout 1.0.3 --percent 0")).code, 0);
});

test("what cannot be rolled out is refused with what to do, and nothing changes", async (t) => {
  const fixture = await prepare(t, [rollout("1.0.3", 50)], 1);
  for (const [words, expected] of [
    ["rollout 1.0.3 --percent 49", /at 50 percent and only rises.*give 50 or more, or 0 to stop/],
    [
      "rollout 1.0.2 --percent 25",
      /1\.0\.3 \(build 3\) is newer than 1\.0\.2.*withdraw 1\.0\.3`$/m,
    ],
    ["rollout 1.0.4 --percent 25", /is a draft: .*publish 1\.0\.4 --rollout PERCENT/],
    ["rollout 9.9.9 --percent 25", /no release 9\.9\.9: `trellis release status`/],
    ["rollout 1.0.3 --percent 101", /--percent must be a whole number from 0 to 100, not "101"/],
    ["rollout 1.0.3 --percent 25%", /--percent must be a whole number from 0 to 100/],
    ["rollout 1.0.3 --percent 025", /--percent must be a whole number from 0 to 100/],
    ["publish 1.0.4 --rollout many", /--rollout must be a whole number from 0 to 100/],
  ] as const) {
    assert.match(await refusal(fixture, words), expected, words);
  }
  await run(fixture, "withdraw 1.0.3 --yes --reason broken --replaced-by 1.0.2");
  assert.match(await refusal(fixture, "rollout 1.0.3 --percent 60"), /was withdrawn/);
  assert.equal((await signedIn(fixture)).rollouts, undefined);
});

test("a rollout that rises asks, because it does not fall again; a stop does not", async (t) => {
  const fixture = await prepare(t, [rollout("1.0.3", 10)]);
  const words = "rollout 1.0.3 --percent 20";
  assert.match(await refusal(fixture, words), /^This sets the rollout of 1\.0\.3 .* add --yes/);
  assert.equal((await run(fixture, `${words} --yes`)).code, 0);
  assert.equal((await run(fixture, "rollout 1.0.3 --percent 0")).code, 0);
});

test("a dry run says the same and changes nothing, also without the private key", async (t) => {
  const fixture = await prepare(t);
  await writeFile(join(fixture.keysDir, `${fixture.settings.signing.active}.pem`), "lost");
  const before = await contentOf(fixture);
  const text = await print(fixture, "rollout 1.0.3 --percent 25 --dry-run");
  assert.match(text, /This sets the rollout of 1\.0\.3/);
  assert.match(text, /About a quarter[^]*nothing was changed/);
  const { isDryRun, plan } = await run(fixture, "rollout 1.0.3 --percent 50 --dry-run");
  assert.deepEqual([isDryRun, plan.percent, plan.everybody], [true, 50, "1.0.2"]);
  assert.match(await refusal(fixture, "rollout 1.0.2 --percent 5 --dry-run"), /is newer/);
  assert.deepEqual(await contentOf(fixture), before);
});

test("a release is published to a share in the step that publishes it", async (t) => {
  const fixture = await prepare(t, undefined, 1);
  const text = await print(fixture, "publish 1.0.4 --rollout 20");
  assert.match(text, /About a fifth of the installations are offered 1\.0\.4; the others keep/);
  const signed = await signedIn(fixture);
  assert.equal(signed.sequence, 2);
  assert.equal(signed.releases[0]?.version, "1.0.4");
  assert.deepEqual(signed.rollouts, [rollout("1.0.4", 20)]);
  assert.deepEqual(await rolloutsOf(fixture), [rollout("1.0.4", 20)]);
});

test("a release that was stopped stays so while its successor is rolled out, and after that is withdrawn", async (t) => {
  const fixture = await prepare(t, [rollout("1.0.3", 0)], 2);
  await run(fixture, "publish 1.0.4 --rollout 25");
  const both = [rollout("1.0.4", 25), rollout("1.0.3", 0)];
  assert.deepEqual((await signedIn(fixture)).rollouts, both);
  assert.deepEqual(await rolloutsOf(fixture), both);
  // Outside of the share the stopped release is not offered.
  const { offered } = await run(
    fixture,
    "decide --platform linux --version 1.0.1 --build 1 --bucket 90",
  );
  assert.equal(offered.version, "1.0.2");
  const text = await print(fixture, "publish 1.0.5");
  assert.match(text, /Every installation is offered 1\.0\.5/);
  assert.equal((await signedIn(fixture)).rollouts, undefined);
  assert.match(
    await print(fixture, "withdraw 1.0.5 --yes --reason broken --replaced-by 1.0.2"),
    /About a quarter of the installations are offered 1\.0\.4; the others keep 1\.0\.2[^]*keep it.*\nExcept apps with electron-updater/,
  );
  assert.deepEqual((await signedIn(fixture)).rollouts, both);
});

test("entries that can never matter again are dropped when one is written", async (t) => {
  const old = [rollout("1.0.1", 100), rollout("1.0.2", 100), rollout("1.0.3", 50)];
  const fixture = await prepare(t, old, 1);
  await run(fixture, "withdraw 1.0.2 --yes --reason broken");
  await run(fixture, "publish 1.0.4 --rollout 10");
  assert.deepEqual(await rolloutsOf(fixture), [rollout("1.0.4", 10), rollout("1.0.3", 50)]);
  await run(fixture, "withdraw 1.0.3 --yes --reason broken --replaced-by 1.0.4");
  await run(fixture, "rollout 1.0.4 --percent 20 --yes");
  assert.deepEqual(await rolloutsOf(fixture), [rollout("1.0.4", 20)]);
});

test("re-signing and rotating the key keep a rollout", async (t) => {
  const fixture = await prepare(t, [rollout("1.0.3", 25)]);
  for (const words of ["sign", "key rotate --yes"]) {
    assert.equal((await run(fixture, words)).code, 0);
    assert.deepEqual((await signedIn(fixture)).rollouts, [rollout("1.0.3", 25)], words);
    assert.deepEqual(await rolloutsOf(fixture), [rollout("1.0.3", 25)], words);
  }
  assert.equal((await signedIn(fixture)).sequence, 3);
});

test("a rollout that was raised by hand is a warning until it is signed", async (t) => {
  const fixture = await prepare(t, [rollout("1.0.3", 25)]);
  const path = join(fixture.folder, "catalog.json");
  const text = await readFile(path, "utf8");
  await writeFile(path, text.replace('"percent": 25', '"percent": 60'));
  const { warnings } = await run(fixture, "check");
  assert.match(warnings.join(), /does not have the latest state of the rollout of 1\.0\.3.*sign/);
  const { manifest } = await run(fixture, "sign --if-older-than 7");
  assert.equal(manifest.sequence, 2);
  assert.deepEqual((await signedIn(fixture)).rollouts, [rollout("1.0.3", 60)]);
});

test("status and verify show a running rollout, and none when there is none", async (t) => {
  const fixture = await prepare(t);
  assert.equal((await run(fixture, "status")).channels.stable.rollout, null);
  assert.doesNotMatch(await print(fixture, "verify"), /Rollout/);
  await run(fixture, "rollout 1.0.3 --percent 25");
  assert.match(
    await print(fixture, "status"),
    /stable +latest 1\.0\.3[^\n]*\n +rollout 25 percent: About a quarter[^\n]*keep 1\.0\.2\nbeta/,
  );
  const { channels } = await run(fixture, "status");
  assert.equal(channels.stable.rollout.percent, 25);
  assert.deepEqual(channels.stable.rollout.everybody, { version: "1.0.2", buildNumber: 2 });
  assert.match(await print(fixture, "verify"), /Rollout {4}1\.0\.3: 25 percent/);
  assert.deepEqual((await run(fixture, "verify")).rollouts, [rollout("1.0.3", 25)]);
  await run(fixture, "rollout 1.0.3 --percent 0");
  assert.match(await print(fixture, "status"), /rollout stopped: No installation is offered/);
});

test("decide explains the client of a bucket by the rule that applied", async (t) => {
  const fixture = await prepare(t, [rollout("1.0.3", 25)]);
  const client = "decide --platform linux --version 1.0.2 --build 2";
  assert.match(
    await print(fixture, `${client} --bucket 25`),
    /bucket 25: update to 1\.0\.3 \(build 3\)\n {2}The rollout of 1\.0\.3 reaches buckets 1 to 25, with 25\n {2}Build 3/,
  );
  assert.match(
    await print(fixture, `${client} --bucket 26`),
    /bucket 26: no update\n {2}.*1 to 25, without 26\n {2}1\.0\.2 \(build 2\) is the newest release that is offered to everyone\n {2}Neither/,
  );
  const outside = await run(fixture, `${client} --bucket 26`);
  assert.deepEqual(outside.rules, ["outside-share", "up-to-date"]);
  assert.deepEqual(
    [outside.status, outside.offered, outside.mandatory],
    ["up-to-date", { version: "1.0.2", buildNumber: 2 }, false],
  );
  const snap = await run(fixture, `${client} --bucket 25 --package snap`);
  assert.deepEqual([snap.status, snap.package], ["no-artifact", "snap"]);
  assert.match((await run(fixture, `${client} --package snap`)).error, /: add --bucket$/);
  const installed = await run(
    fixture,
    "decide --platform linux --version 1.0.3 --build 3 --bucket 99",
  );
  assert.deepEqual(installed.rules, ["installed", "up-to-date"]);
  // Without a bucket it is the decision of the service, as ever.
  const { decision, rules } = await run(fixture, client);
  assert.deepEqual(decision.target, { version: "1.0.3", buildNumber: 3 });
  assert.deepEqual(rules, ["newer-build", "newer-version"]);

  await run(fixture, "rollout 1.0.3 --percent 0");
  assert.match(await print(fixture, `${client} --bucket 1`), /is stopped: no bucket is offered it/);
  await run(fixture, "rollout 1.0.3 --percent 100 --yes");
  assert.deepEqual((await run(fixture, `${client} --bucket 99`)).rules[0], "everybody");
});

test("decide refuses a bucket that is none, and a time at which the manifest has expired", async (t) => {
  const fixture = await prepare(t);
  const client = "decide --platform linux --version 1.0.2 --build 2";
  for (const bucket of ["0", "101", "1.5", "x"]) {
    const words = `${client} --bucket ${bucket}`;
    assert.match(await refusal(fixture, words), /--bucket must be a whole number from 1 to 100/);
  }
  const late = `${client} --bucket 5 --at 2199-01-01T00:00:00Z`;
  assert.match(await refusal(fixture, late), /The manifest expires at .*cannot confirm/);
});

const PATHS = [
  "/api/v1/releases",
  "/api/v1/releases?limit=1&page=2",
  "/api/v1/releases/latest",
  "/api/v1/releases/1.0.3",
  "/api/v1/releases/1.0.3/downloads",
  "/api/v1/update/linux?version=1.0.2&build=2",
  "/api/v1/update/android?version=1.0.3&build=3",
  "/api/v1/download/windows",
  "/api/v1/download/macos/universal",
];

test("the routes of the contract respond as ever, at whatever percent", async (t) => {
  const fixture = await prepare(t);
  const responses = async () => {
    const service = createReleaseService({
      catalog: fixture.folder,
      baseUrl: "https://releases.example.com",
      smartDownloadUrl: "https://get.example.com",
      websiteDownloadUrl: "https://example.com/#download",
    });
    await service.ready;
    const found = PATHS.map(async (path) => {
      const response = await service.fetch(new Request(`https://releases.example.com${path}`));
      const headers = [...response.headers].filter(([name]) => !/^(date|x-request-id)$/.test(name));
      return [path, response.status, headers, await response.text()];
    });
    try {
      return await Promise.all(found);
    } finally {
      await service.close();
    }
  };
  const without = await responses();
  assert.equal(without.filter(([, status]) => status === 200).length, 7);
  assert.match(String(without[2]?.[3]), /^\{"version":"1\.0\.3"/);
  for (const percent of [25, 0]) {
    await run(fixture, `rollout 1.0.3 --percent ${percent} --yes`);
    assert.deepEqual(await responses(), without, `${percent} percent`);
  }
});
