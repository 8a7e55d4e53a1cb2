import assert from "node:assert/strict";
import { test } from "node:test";
import { ED_SIGNATURE, feedArtifact, feedRelease } from "../../../../test/fixtures/feed-release.ts";
import { readXml, type XmlElement } from "../../../../test/fixtures/read-xml.ts";
import { appcast, appcastFiles, explainAppcastFile } from "./appcast.ts";
import type { FeedRelease } from "./feed-release.ts";

const noNotes = { added: [], changed: [], fixed: [], security: [] };
const createLocalised = (headline: string) => ({
  headline,
  summary: "]]> <script>",
  highlights: [{ id: "x", title: "T & T", description: "D", icon: "x" }],
  changes: { ...noNotes, added: ["New\u0000\ud800"] },
});

function items(
  releases: readonly FeedRelease[],
  channel: "stable" | "beta" = "stable",
  now = Date.parse("2026-12-01T00:00:00Z"),
) {
  const text = appcast(releases, channel, "habits", now);
  if (text === null) return [];
  const [channelElement] = readXml(text).children;
  return channelElement?.children.filter(({ name }) => name === "item") ?? [];
}

const child = (item: XmlElement | undefined, name: string) =>
  item?.children.find((element) => element.name === name);
const textOf = (item: XmlElement | undefined, name: string) => child(item, name)?.text;

test("an item has the build, the version, the date and the signed file", () => {
  const [item] = items([feedRelease("1.5.0", 15)]);
  assert.equal(textOf(item, "sparkle:version"), "15");
  assert.equal(textOf(item, "sparkle:shortVersionString"), "1.5.0");
  assert.equal(textOf(item, "pubDate"), "Fri, 21 Aug 2026 07:30:00 +0000");
  assert.equal(child(item, "sparkle:channel"), undefined);
  assert.equal(child(item, "sparkle:criticalUpdate"), undefined);
  assert.deepEqual(child(item, "enclosure")?.attributes, {
    url: "https://downloads.example.com/habits-1.5.0.zip",
    length: "1000",
    type: "application/octet-stream",
    "sparkle:os": "macos",
    "sparkle:edSignature": ED_SIGNATURE,
  });
});

test("the stable appcast has no beta, and the beta appcast marks those it has", () => {
  const releases = [feedRelease("1.6.0", 16, { channel: "beta" }), feedRelease("1.5.0", 15)];
  const channels = (channel: "stable" | "beta") =>
    items(releases, channel).map((item) => [
      textOf(item, "sparkle:version"),
      textOf(item, "sparkle:channel"),
    ]);
  assert.deepEqual(new Set(channels("stable").flat()), new Set(["15", undefined]));
  assert.deepEqual(channels("beta").slice(0, 1), [["16", "beta"]]);
  assert.deepEqual(channels("beta").at(-1), ["15", undefined]);
});

test("Sparkle reads its notes in the language of the person, WinSparkle only in English", () => {
  const presentation = { en: createLocalised("Hello"), de: createLocalised("Hallo") };
  const [mac, windows] = items([feedRelease("1.5.0", 15, { presentation })]);
  const notes = mac?.children.filter(({ name }) => name === "description") ?? [];
  assert.deepEqual(
    notes.map(({ attributes }) => attributes["xml:lang"]),
    ["en", "de"],
  );
  assert.equal(
    notes[1]?.text,
    "<h2>Hallo</h2><p>]]&gt; &lt;script&gt;</p><ul><li><strong>T &amp; T</strong><br>D</li></ul><h3>Neu</h3><ul><li>New\ufffd\ufffd</li></ul>",
  );
  const single = windows?.children.filter(({ name }) => name === "description") ?? [];
  assert.equal(single.length, 1);
  assert.match(single[0]?.text ?? "", /^<h2>Hello/);
});

test("without a presentation the notes are lists, and texts are no markup", () => {
  assert.equal(
    textOf(items([feedRelease("1.5.0", 15)])[0], "description"),
    "<h3>Added</h3><ul><li>Sync</li></ul><h3>Fixed</h3><ul><li>A &lt;b&gt;bold&lt;/b&gt; &amp; &quot;quoted&quot; fix</li></ul>",
  );
  assert.equal(
    child(items([feedRelease("1.5.0", 15, { notes: noNotes })])[0], "description"),
    undefined,
  );
});

test("an update is critical from its deadline on, but not while it is rolled out", () => {
  const mandatoryAfter = "2026-10-01T02:00:00+02:00";
  const deadline = Date.parse("2026-10-01T00:00:00Z");
  for (const [now, isCritical] of [
    [deadline - 1, false],
    [deadline, true],
  ] as const) {
    const [item] = items([feedRelease("1.5.0", 15, { mandatoryAfter })], "stable", now);
    assert.equal(child(item, "sparkle:criticalUpdate") !== undefined, isCritical);
  }
  const [critical] = items([feedRelease("1.5.0", 15, { mandatoryAfter })]);
  assert.ok(child(critical, "sparkle:criticalUpdate"));
  assert.equal(child(critical, "sparkle:phasedRolloutInterval"), undefined);
  const [staged] = items([feedRelease("1.5.0", 15, { mandatoryAfter, percent: 25 })]);
  assert.equal(child(staged, "sparkle:criticalUpdate"), undefined);
  assert.equal(textOf(staged, "sparkle:phasedRolloutInterval"), "86400");
  assert.deepEqual(items([feedRelease("1.5.0", 15, { percent: 0 })]), []);
});

test("a release that is rolled out is only offered to Sparkle, which knows phases", () => {
  const offered = (percent: number) =>
    items([feedRelease("1.6.0", 16, { percent }), feedRelease("1.5.0", 15)]).map((item) => [
      textOf(item, "sparkle:version"),
      child(item, "enclosure")?.attributes["sparkle:os"],
    ]);
  const older = ["macos", "windows", "linux"].map((os) => ["15", os]);
  assert.deepEqual(offered(1), [["16", "macos"], ...older]);
  assert.deepEqual(offered(100).slice(0, 3), [
    ["16", "macos"],
    ["16", "windows"],
    ["16", "linux"],
  ]);
});

test("systems are named so that each reader finds its own file", () => {
  const names = (...artifacts: FeedRelease["artifacts"]) =>
    appcastFiles(artifacts).map(({ os, artifact }) => `${os} ${artifact.fileName}`);
  assert.deepEqual(
    names(
      feedArtifact("macos", "arm64", "arm.dmg"),
      feedArtifact("macos", "x64", "intel.dmg"),
      feedArtifact("windows", "x64", "a.exe"),
    ),
    ["macos intel.dmg", "windows a.exe"],
  );
  assert.deepEqual(
    names(
      feedArtifact("windows", "x64", "a.exe"),
      feedArtifact("windows", "x64", "a.msi"),
      feedArtifact("windows", "arm64", "b.exe"),
      feedArtifact("linux", "x64", "c.AppImage"),
    ),
    ["windows-x64 a.exe", "windows-arm64 b.exe", "linux c.AppImage"],
  );
  // Readers on other machines would install what they cannot run.
  assert.deepEqual(
    names(feedArtifact("windows", "arm64", "b.exe"), feedArtifact("linux", "armv7", "c.AppImage")),
    ["windows-arm64 b.exe", "linux-armv7 c.AppImage"],
  );
  assert.deepEqual(
    names(feedArtifact("windows", "x86", "b.exe"), feedArtifact("linux", "x86", "c.AppImage")),
    ["windows b.exe", "linux-x86 c.AppImage"],
  );
});

test("the oldest system is in the form that its reader understands", () => {
  const minimum = (artifact: FeedRelease["artifacts"][number]) =>
    textOf(
      items([feedRelease("1.5.0", 15, { artifacts: [artifact] })])[0],
      "sparkle:minimumSystemVersion",
    );
  const mac = feedArtifact("macos", "universal", "a.dmg", { minimumOs: "12.3" });
  assert.equal(minimum(mac), "12.3");
  const windows = feedArtifact("windows", "x64", "a.exe", { minimumOs: "10.0.17763" });
  assert.equal(minimum(windows), "10.0");
  const silicon = { artifacts: [feedArtifact("macos", "arm64", "a.dmg")] };
  const [item] = items([feedRelease("1.5.0", 15, silicon)]);
  assert.equal(textOf(item, "sparkle:hardwareRequirements"), "arm64");
});

test("an unsigned file is in no appcast, and addresses are escaped", () => {
  const unsigned = feedArtifact("macos", "universal", "a.dmg", { signatures: {} });
  assert.deepEqual(appcastFiles([unsigned]), []);
  assert.match(explainAppcastFile(unsigned) ?? "", /--ed-signature/);
  const url = `https://downloads.example.com/a.dmg?x=1&y="'<>`;
  const odd = feedArtifact("macos", "universal", "a.dmg", { url });
  const [item] = items([feedRelease("1.5.0", 15, { artifacts: [odd] })]);
  assert.equal(child(item, "enclosure")?.attributes["url"], url);
});
