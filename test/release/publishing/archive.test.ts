/** Releases that are too old for the manifest, from the first publication that archives some. */
import assert from "node:assert/strict";
import { hash } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import type { ManifestPayload, ReleaseArchive } from "../../../src/contract/release/schemas.ts";
import {
  createCatalogReader,
  readWholeCatalog,
} from "../../../src/release/catalog/read-catalog.ts";
import { createReleaseService } from "../../../src/release/service.ts";
import { formatFileError } from "../../../src/rules/release/catalog-file-error.ts";
import { createCatalogFixture, type CatalogFixture } from "../../fixtures/catalog.ts";
import { freePorts } from "../../fixtures/free-port.ts";
import { runInside } from "../../fixtures/run-inside.ts";

let home: string;
let fixture: CatalogFixture;
let place: string;
let folder: string;

before(async () => {
  home = await mkdtemp(join(tmpdir(), "trellis-archive-"));
  fixture = await createCatalogFixture({
    releases: 24,
    drafts: 1,
    betaEvery: 0,
    forUpdaters: true,
    settings: { targets: [] },
  });
});
after(async () => {
  await fixture.remove();
  await rm(home, { recursive: true, force: true });
});
beforeEach(async () => {
  place = await mkdtemp(join(home, "place-"));
  folder = join(place, "catalog");
  await cp(join(fixture.folder, ".."), place, { recursive: true });
  writeFileSync(join(place, "trellis.config.json"), '{ "release": {} }');
});

const run = (...words: string[]) => runInside(place, ["release", ...words]);
const PUBLISH = ["publish", "1.2.5", "--yes", "--allow-lost-coverage"];

async function succeed(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...words);
  assert.equal(code, 0, stderr);
  return stdout;
}

function payloadOf(): ManifestPayload {
  const { payload } = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as {
    payload: string;
  };
  return JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as ManifestPayload;
}

async function errorsOf(): Promise<string[]> {
  const read = await readWholeCatalog(folder, Date.now());
  return read.kind === "invalid" ? read.errors.map(formatFileError) : [];
}

async function withService<T>(use: (get: (path: string) => Promise<Response>) => Promise<T>) {
  const baseUrl = "https://releases.example.com";
  const service = createReleaseService({
    catalog: folder,
    baseUrl,
    smartDownloadUrl: "https://download.example.com",
    websiteDownloadUrl: "https://www.example.com/#download",
  });
  try {
    await service.ready;
    return await use((path) => service.fetch(new Request(baseUrl + path)));
  } finally {
    await service.close();
  }
}

const versionsOf = (items: readonly { version: string }[]) => items.map(({ version }) => version);
const releaseFiles = () => readdirSync(join(folder, "releases")).toSorted();
const linesOf = (file: string) => readFileSync(join(folder, file), "utf8").split("\n").slice(0, -1);

test("a publication moves what is too old to the archive, as one line each, and says so", async () => {
  const before = linesOf("archive.jsonl");
  assert.equal(before.length, 4);
  assert.match(await succeed(...PUBLISH), /^Moved 1\.0\.5 to the archive: the manifest has what/m);
  const { releases, files, archive } = payloadOf();
  assert.equal(releases.length, 20);
  assert.equal(releases[0]?.version, "1.2.5");
  assert.equal(files?.length, 20);
  assert.equal(archive?.releases, 5);
  assert.equal(existsSync(join(folder, "releases/1.0.5.json")), false);
  assert.equal(releaseFiles().length, 20);
  // What was there is not written again, so that version control shows one line.
  assert.deepEqual(linesOf("archive.jsonl").slice(0, 4), before);
  assert.equal(linesOf("archive-index.jsonl").length, 6);
});

test("a catalogue from before there was an archive is read, and becomes the new form when it is signed", async (t) => {
  const old = await createCatalogFixture({ releases: 23, signed: false, betaEvery: 0 });
  t.after(() => old.remove());
  place = join(old.folder, "..");
  folder = old.folder;
  writeFileSync(join(place, "trellis.config.json"), '{ "release": {} }');
  assert.equal(releaseFiles().length, 23);
  assert.match(
    await succeed("sign", "--sequence", "1"),
    /^Moved 3 releases, 1\.0\.3 and older, to the archive/m,
  );
  assert.equal(releaseFiles().length, 20);
  assert.deepEqual(await errorsOf(), []);
  assert.match(await succeed("list"), /^1\.0\.1 +1 +stable +published +\d{4}-\d\d-\d\d +android/m);
});

test("every release stays at its address, in the list and in its total", async () => {
  await withService(async (get) => {
    const list = await (await get("/api/v1/releases?limit=100")).json();
    assert.equal(list.total, 24);
    assert.deepEqual(versionsOf(list.releases).slice(-2), ["1.0.2", "1.0.1"]);
    const source = fixture.releases.find(({ version }) => version === "1.0.1");
    const served = await (await get("/api/v1/releases/1.0.1")).json();
    assert.equal(served.notes.added[0], source?.notes.added[0]);
    assert.deepEqual(served.artifacts.length, source?.artifacts.length);
    const { artifacts } = await (await get("/api/v1/releases/1.0.1/downloads")).json();
    assert.deepEqual(artifacts, served.artifacts);
    const files = await (await get("/feeds/files/1.0.1")).json();
    assert.deepEqual(files, { version: "1.0.1", files: source?.artifacts });
  });
});

test("the archive has the signed digest, and that of the manifest before is still served", async () => {
  const before = payloadOf().archive?.sha256;
  await succeed(...PUBLISH);
  const { archive } = payloadOf();
  await withService(async (get) => {
    const response = await get(`/feeds/archive/${archive?.sha256}`);
    assert.match(response.headers.get("Cache-Control") ?? "", /immutable/);
    const text = await response.text();
    assert.equal(hash("sha256", text), archive?.sha256);
    assert.equal(Buffer.byteLength(text), archive?.size);
    assert.deepEqual(versionsOf((JSON.parse(text) as ReleaseArchive).releases), [
      "1.0.5",
      "1.0.4",
      "1.0.3",
      "1.0.2",
      "1.0.1",
    ]);
    const previous = await get(`/feeds/archive/${before}`);
    assert.equal(hash("sha256", await previous.text()), before);
    assert.equal((await get(`/feeds/archive/${"0".repeat(64)}`)).status, 404);
  });
});

test("the archive is the same through a signing that archives nothing", async () => {
  await succeed(...PUBLISH);
  const before = payloadOf().archive;
  const index = linesOf("archive-index.jsonl");
  await succeed("sign");
  assert.deepEqual(payloadOf().archive, before);
  assert.deepEqual(linesOf("archive-index.jsonl"), index);
});

test("an archived release can be withdrawn, which rewrites no line of the archive", async () => {
  const before = payloadOf().archive?.sha256;
  const lines = linesOf("archive.jsonl");
  await succeed("withdraw", "1.0.2", "--reason", "Loses data", "--yes");
  assert.deepEqual(linesOf("archive.jsonl"), lines);
  const { withdrawn, archive } = payloadOf();
  assert.deepEqual(withdrawn, [{ version: "1.0.2", buildNumber: 2, reason: "Loses data" }]);
  assert.equal(archive?.releases, 3);
  assert.match(await succeed("show", "1.0.2"), /Withdrawn .*Loses data[^]*Signed +in the manifest/);
  await withService(async (get) => {
    assert.equal((await get("/api/v1/releases/1.0.2")).status, 404);
    const text = await (await get(`/feeds/archive/${before}`)).text();
    assert.equal(hash("sha256", text), before);
    assert.deepEqual(versionsOf((JSON.parse(text) as ReleaseArchive).releases)[2], "1.0.2");
  });
});

test("withdrawn releases follow into the archive, and are named by it or by the manifest", async () => {
  for (let build = 1; build <= 22; build++) {
    const version = `1.${Math.floor(build / 10)}.${build % 10}`;
    const when = ["--reason", "Loses data", "--yes"];
    // The newest of a channel names its replacement.
    await succeed("withdraw", version, ...when);
  }
  const { withdrawn, releases, archive } = payloadOf();
  assert.equal(withdrawn.length, 20);
  assert.deepEqual(versionsOf(releases), ["1.2.4", "1.2.3"]);
  assert.equal(archive?.releases, 0);
  await withService(async (get) => {
    const body = (await (await get(`/feeds/archive/${archive?.sha256}`)).json()) as ReleaseArchive;
    assert.deepEqual(versionsOf(body.withdrawn), ["1.0.2", "1.0.1"]);
  });
});

test("a release that is needed again is in the manifest, and still in its line", async () => {
  const before = payloadOf().archive?.sha256;
  await succeed("withdraw", "1.2.3", "--reason", "Loses data", "--yes");
  assert.deepEqual(versionsOf(payloadOf().releases).at(-1), "1.0.4");
  assert.equal(payloadOf().archive?.releases, 3);
  assert.match(await succeed("show", "1.0.4"), /^Signed +in the manifest$/m);
  assert.match(await succeed("show", "1.0.3"), /^Signed +in the archive of the manifest$/m);
  assert.match(await succeed("show", "1.2.5"), /Status +draft/);
  assert.deepEqual(await errorsOf(), []);
  await withService(async (get) => {
    const previous = await get(`/feeds/archive/${before}`);
    assert.equal(hash("sha256", await previous.text()), before);
  });
});

test("a release that came back from the archive is withdrawn in its line", async (t) => {
  const other = await createCatalogFixture({ releases: 21, betaEvery: 0 });
  t.after(() => other.remove());
  place = join(other.folder, "..");
  folder = other.folder;
  writeFileSync(join(place, "trellis.config.json"), '{ "release": {} }');
  await succeed("withdraw", "1.0.5", "--reason", "Loses data", "--yes");
  assert.equal(payloadOf().archive, undefined);
  await succeed("withdraw", "1.0.1", "--reason", "Loses data", "--yes");
  assert.deepEqual(versionsOf(payloadOf().withdrawn), ["1.0.5", "1.0.1"]);
  assert.deepEqual(await errorsOf(), []);
  assert.match(await succeed("show", "1.0.1"), /Withdrawn .*Loses data/);
});

test("who reads a catalogue again sees each change of its archive", async () => {
  const reader = createCatalogReader(folder);
  const read = async () => (await reader.read(Date.now(), "whole")).kind;
  const file = join(folder, "archive.jsonl");
  const text = readFileSync(file, "utf8");
  assert.equal(await read(), "loaded");
  writeFileSync(file, text.replace('"fileName":"habits', '"fileName":"habitt'));
  assert.equal(await read(), "invalid");
  assert.equal(await read(), "invalid");
  writeFileSync(file, text);
  assert.equal(await read(), "loaded");
  await succeed(...PUBLISH);
  assert.equal(await read(), "loaded");
});

test("a change of the archive by another hand is refused", async () => {
  const [lines, index] = ["archive.jsonl", "archive-index.jsonl"].map((file) => ({
    path: join(folder, file),
    text: readFileSync(join(folder, file), "utf8"),
  })) as [{ path: string; text: string }, { path: string; text: string }];
  const changes: readonly (readonly [{ path: string; text: string }, (text: string) => string])[] =
    [
      [lines, (text) => text.replace("Smaller fixes", "Larger fixes.")],
      [lines, (text) => text.replace('"fileName":"habits', '"fileName":"habitt')],
      [lines, (text) => `${text}\n`],
      [lines, (text) => text.slice(0, -10)],
      [index, (text) => text.replace('"buildNumber":2,', '"buildNumber":99,')],
      [index, (text) => text.replace('"version":"1.0.2"', '"version":"9.0.2"')],
      [index, (text) => text.replace(/"publishedAt":"20/, '"publishedAt":"19')],
      [index, (text) => text.replace('"channel":"stable"', '"channel":"beta"')],
      [index, (text) => text.replace(/"filesSha256":"./, '"filesSha256":"0')],
      [index, (text) => text.replace('"offset":0', '"offset":1')],
      [index, (text) => text.split("\n").slice(0, -2).join("\n") + "\n"],
      [index, (text) => text.slice(0, -1)],
      [index, (text) => text.replace('"schemaVersion":1', '"schemaVersion":2')],
      [index, () => ""],
    ];
  for (const [file, change] of changes) {
    const text = change(file.text);
    assert.notEqual(text, file.text);
    writeFileSync(file.path, text);
    const errors = (await errorsOf()).join("\n");
    assert.match(
      errors,
      /^archive(?:-index)?\.jsonl(?:: | .*restore archive\.jsonl, archive-index)/,
    );
    writeFileSync(file.path, file.text);
  }
  rmSync(index.path);
  assert.match((await errorsOf()).join(), /^archive-index\.jsonl is missing beside archive\.jsonl/);
  rmSync(lines.path);
  assert.match(
    (await errorsOf()).join(),
    /^archive\.jsonl is missing, although manifest\.json names/,
  );
  writeFileSync(index.path, index.text);
  writeFileSync(lines.path, lines.text);
  assert.deepEqual(await errorsOf(), []);
});

test("a damaged line stops the commands that need its release, those that sign, and no other", async () => {
  const file = join(folder, "archive.jsonl");
  const text = readFileSync(file, "utf8");
  // Only the digest of the files of the first line is another.
  writeFileSync(file, text.replace(/"sha512":"[^"]{4}/, '"sha512":"AAAA'));
  assert.notEqual(readFileSync(file, "utf8"), text);
  await succeed("show", "1.2.4");
  await succeed("list");
  const problem =
    /archive\.jsonl does not have 1\.0\.1 as it was signed[:;] restore archive\.jsonl, /;
  const shown = await run("show", "1.0.1");
  assert.match(shown.stderr, problem);
  assert.equal(shown.stderr.split("\n").length, 2, "without a stack");
  const commands = [["check"], ["sign"], PUBLISH, ["export", join(place, "tree")]];
  for (const words of [["doctor"], ...commands.map((rest) => ["release", ...rest])]) {
    const { code, stdout, stderr } = await runInside(place, words);
    assert.equal(code, 1, words.join(" "));
    assert.match(stdout + stderr, problem);
  }
});

test("what git did to the archive is told with what mends it", async () => {
  const path = join(folder, "archive-index.jsonl");
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replaceAll("\n", "\r\n"));
  assert.match((await errorsOf()).join(), /line ends of Windows.*`archive\*\.jsonl -text`/);
  writeFileSync(path, text.replace("\n", "\n<<<<<<< HEAD\n=======\n>>>>>>> other\n"));
  assert.match(
    (await errorsOf()).join(),
    /conflict markers of a merge; .*`git checkout --theirs manifest\.json archive\.jsonl archive-index\.jsonl`/,
  );
  // What the sides of the manifest say is better than to ask who signed last.
  const manifest = join(folder, "manifest.json");
  const envelope = readFileSync(manifest, "utf8");
  writeFileSync(manifest, `<<<<<<< HEAD\n${envelope}\n=======\nnone\n>>>>>>> other\n`);
  assert.match(
    (await errorsOf()).join(),
    /^manifest\.json has .*`git checkout --ours manifest\.json archive\.jsonl archive-index\.jsonl`/,
  );
});

test("the file of an archived release is told once, however it came back", async () => {
  const release = fixture.releases.find(({ version }) => version === "1.0.2");
  writeFileSync(join(folder, "releases/1.0.2.json"), JSON.stringify(release));
  const errors = await errorsOf();
  assert.equal(errors.length, 1);
  assert.match(errors.join(), /^releases\/1\.0\.2\.json is still there.*; delete the file/);
});

test("a withdrawal that differs from the signed one is told, also of an archived release", async () => {
  await succeed("withdraw", "1.0.2", "--reason", "Loses data", "--yes");
  const path = join(folder, "archive-index.jsonl");
  writeFileSync(path, readFileSync(path, "utf8").replace("Loses data", "Fine"));
  assert.match(await succeed("check"), /manifest\.json does not have the latest state of 1\.0\.2/);
});

test("a manifest with another archive is refused, and one that knows the moved release is not", async () => {
  const old = readFileSync(join(folder, "manifest.json"));
  await succeed(...PUBLISH);
  writeFileSync(join(folder, "manifest.json"), old);
  assert.deepEqual(await errorsOf(), []);
  await succeed("sign");
  await succeed("withdraw", "1.0.2", "--reason", "Loses data", "--yes");
  writeFileSync(join(folder, "manifest.json"), old);
  assert.match((await errorsOf()).join(), /archive\.jsonl is not the archive that was signed/);
});

test("a version or build of the archive is taken", async () => {
  const again = await run("new", "1.0.2", "--build", "30");
  assert.match(again.stderr, /already a release 1\.0\.2 \(published\)/);
  const build = await run("new", "1.3.0", "--build", "2");
  assert.match(build.stderr, /Build 2 is taken by 1\.0\.2/);
});

test("a file of an archived release is told, and refused once that is withdrawn", async () => {
  const source = fixture.releases.find(({ version }) => version === "1.0.2");
  const file = join(folder, "releases/1.2.5.json");
  const draft = JSON.parse(readFileSync(file, "utf8"));
  draft.artifacts[0].sha256 = source?.artifacts[0]?.sha256;
  writeFileSync(file, JSON.stringify(draft));
  assert.match(await succeed("check"), /^Warning: .*is a file of 1\.0\.2, which is published/m);
  await succeed("withdraw", "1.0.2", "--reason", "Loses data", "--yes");
  const refused = await run(...PUBLISH);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /is a file of 1\.0\.2, which is withdrawn/);
});

test("a file of two archived releases is refused once the older one is withdrawn", async (t) => {
  const old = await createCatalogFixture({
    releases: 24,
    drafts: 1,
    betaEvery: 0,
    signed: false,
    settings: { targets: [] },
  });
  t.after(old.remove);
  place = join(old.folder, "..");
  folder = old.folder;
  // Nothing listens there, where another test may have the default ports.
  const [port = 0, downloadPort = 0] = await freePorts(2);
  const release = {
    baseUrl: `http://localhost:${port}`,
    smartDownload: { url: `http://localhost:${downloadPort}` },
  };
  writeFileSync(join(place, "trellis.config.json"), JSON.stringify({ release }));
  const sha256 = old.releases.find(({ version }) => version === "1.0.2")?.artifacts[0]?.sha256;
  for (const version of ["1.0.3", "1.2.5"]) {
    const file = join(folder, `releases/${version}.json`);
    const release = JSON.parse(readFileSync(file, "utf8"));
    release.artifacts[0].sha256 = sha256;
    writeFileSync(file, JSON.stringify(release));
  }
  await succeed("sign", "--sequence", "1");
  assert.match(await succeed("check"), /^Warning: .*is a file of 1\.0\.3, which is published/m);
  await succeed("withdraw", "1.0.2", "--reason", "Loses data", "--yes");
  const refused = await run(...PUBLISH);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /is a file of 1\.0\.2, which is withdrawn/);
});

test("a signing says when the manifest would be too large, and what takes the place", async () => {
  const file = join(folder, "releases/1.2.5.json");
  const draft = JSON.parse(readFileSync(file, "utf8"));
  draft.notes.added = ["x".repeat(900 * 1024)];
  writeFileSync(file, JSON.stringify(draft));
  const refused = await run(...PUBLISH);
  assert.equal(refused.code, 1);
  assert.match(
    refused.stderr,
    /would have 1\d\d\d KiB, and at most 1 MiB is signed, .*1\.2\.5 takes 9\d\d KiB, most of it notes/,
  );
  const checked = await run("check");
  assert.equal(checked.code, 1);
  assert.match(checked.stdout, /manifest\.json would have 1\d\d\d KiB after the next publication/);
  draft.notes.added = ["x".repeat(300 * 1024)];
  writeFileSync(file, JSON.stringify(draft));
  assert.match(await succeed("check"), /^Warning: manifest\.json would have 5\d\d KiB/m);
});

test("doctor tells a large manifest and what takes the place, and says nothing of a small one", async () => {
  const LARGE = /manifest: it has .*which every copy downloads/;
  assert.doesNotMatch((await runInside(place, ["doctor"])).stdout, LARGE);
  const file = join(folder, "releases/1.2.5.json");
  const draft = JSON.parse(readFileSync(file, "utf8"));
  const writeNotes = (length: number) => {
    draft.notes.added = ["x".repeat(length)];
    writeFileSync(file, JSON.stringify(draft));
  };
  // The envelope has four characters for three bytes.
  const toSpare = ((256 * 1024 - readFileSync(join(folder, "manifest.json")).length) * 3) / 4;
  writeNotes(toSpare + 16 * 1024);
  await succeed(...PUBLISH);
  const { code, stdout } = await runInside(place, ["doctor"]);
  assert.equal(code, 0, stdout);
  assert.match(
    stdout,
    /manifest: it has 2[67]\d KiB, which every copy downloads \(1\.2\.5 takes \d+ KiB, most of it notes;/,
  );
  assert.match(stdout, /or shorten later notes/);
});

test("verify refuses what an update client would not read, before it looks into it", async () => {
  appendFileSync(join(folder, "manifest.json"), " ".repeat(8 * 1024 * 1024));
  const refused = await run("verify");
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /more than 8388608 bytes, which update clients refuse to read/);
});

test("verify says what is in the archive", async () => {
  assert.match(await succeed("verify"), /^Releases +20 published, 0 withdrawn\nArchive +4 older/m);
  assert.match(await succeed("status"), /the newest 20 releases; 4 older ones in the archive/);
});

test("an export has the archives, and uploads do not", async () => {
  const before = payloadOf().archive?.sha256;
  await succeed(...PUBLISH);
  await succeed("export", join(place, "public"));
  for (const sha256 of [before, payloadOf().archive?.sha256]) {
    const path = join(place, "public/current/public/feeds/archive", sha256 ?? "", "index.json");
    assert.equal(hash("sha256", readFileSync(path)), sha256);
  }
});
