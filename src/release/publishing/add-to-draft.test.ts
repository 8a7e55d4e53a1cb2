import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createCatalogFixture, type CatalogFixture } from "../../../test/fixtures/catalog.ts";
import { nodeFiles } from "../catalog/file-port.ts";
import { createCatalogReader } from "../catalog/read-catalog.ts";
import { addArtifact, addMedia, detectMediaType } from "./add-to-draft.ts";

import type { ChangeResult, CatalogContext } from "./change-catalog.ts";
import { createDraft } from "./create-draft.ts";
import type { NewArtifact } from "./prepare-artifact.ts";

let fixture: CatalogFixture;
let context: CatalogContext;
const VERSION = "9.0.0";

before(async () => {
  fixture = await createCatalogFixture({ releases: 2, betaEvery: 0 });
  context = {
    folder: fixture.folder,
    reader: createCatalogReader(fixture.folder),
    keysFolder: fixture.keysDir,
    files: nodeFiles,
    now: Date.now,
    lockWaitMs: 1000,
  };
  await createDraft(context, { version: VERSION, buildNumber: 90, channel: "stable" });
});
after(() => fixture.remove());

function file(name: string, content: string | Buffer = name): string {
  const path = join(fixture.folder, "..", name);
  writeFileSync(path, content);
  return path;
}

function add(name: string, change: Partial<NewArtifact> = {}, content = name) {
  return addArtifact(context, {
    version: VERSION,
    path: file(name, content),
    platform: "linux",
    architecture: "x64",
    url: `https://downloads.example.com/${name}`,
    signed: false,
    ...change,
  });
}

function done<T>(change: ChangeResult<T>): T {
  if (change.kind === "refused") assert.fail(change.message);
  return change.result;
}

function messageOf(change: ChangeResult<unknown>): string {
  return change.kind === "refused"
    ? [change.message, ...change.errors.map(({ path }) => path)].join(" ")
    : "done";
}

function draft() {
  return JSON.parse(readFileSync(join(fixture.folder, "releases/9.0.0.json"), "utf8"));
}

test("an artifact is added with the name, size and digest of its file", async () => {
  const seen: number[] = [];
  const result = await addArtifact(
    context,
    {
      version: VERSION,
      path: file("app.deb", "content"),
      platform: "linux",
      architecture: "x64",
      url: "https://downloads.example.com/app.deb",
      signed: true,
    },
    (doneBytes, total) => void seen.push(doneBytes, total),
  );
  const { change, artifact, warnings } = done(result);
  assert.equal(change, "added");
  assert.deepEqual(warnings, []);
  assert.deepEqual(artifact, {
    platform: "linux",
    architecture: "x64",
    fileName: "app.deb",
    signed: true,
    url: "https://downloads.example.com/app.deb",
    sha256: createHash("sha256").update("content").digest("hex"),
    size: 7,
    sha512: createHash("sha512").update("content").digest("base64"),
  });
  assert.deepEqual(seen, [7, 7]);
  assert.deepEqual(draft().artifacts, [artifact]);
});

test("the same file again changes nothing, a rebuilt one replaces it", async () => {
  const { length } = draft().artifacts;
  assert.equal(done(await add("same.rpm")).change, "added");
  assert.equal(done(await add("same.rpm")).change, "unchanged");
  assert.equal(done(await add("same.rpm", {}, "rebuilt")).change, "replaced");
  assert.equal(draft().artifacts.length, length + 1);
});

test("a file for people comes before one for updaters, in whatever order they are added", async () => {
  const mac = { platform: "macos", architecture: "universal" } as const;
  done(await add("Habits.app.tar.gz", mac));
  const { warnings } = done(await add("Habits.dmg", mac));
  assert.deepEqual(warnings, []);
  const names = draft()
    .artifacts.filter(({ platform }: { platform: string }) => platform === "macos")
    .map(({ fileName }: { fileName: string }) => fileName);
  assert.deepEqual(names, ["Habits.dmg", "Habits.app.tar.gz"]);
});

test("the direct download comes before the store's bundle, in whatever order they are added", async () => {
  const android = { platform: "android", architecture: "universal" } as const;
  done(await add("app.aab", { ...android, distribution: "play" }));
  done(await add("app.apk", { ...android, distribution: "direct" }));
  done(await add("app.aab", { ...android, distribution: "play" }, "rebuilt"));
  const names = draft()
    .artifacts.filter(({ platform }: { platform: string }) => platform === "android")
    .map(({ fileName }: { fileName: string }) => fileName);
  assert.deepEqual(names, ["app.apk", "app.aab"]);
});

test("a second artifact of a target, and an address of another name, get a warning", async () => {
  const { warnings } = done(
    await add("second.AppImage", { url: "https://downloads.example.com/latest.AppImage" }),
  );
  assert.equal(warnings.length, 2);
  assert.match(warnings[0] ?? "", /ends in "latest\.AppImage"/);
  assert.match(warnings[1] ?? "", /first artifact, "app\.deb"/);
});

describe("what cannot be added is refused and leaves the draft as it was", () => {
  for (const [name, attempt, pattern] of [
    ["an empty file", () => add("empty.bin", {}, ""), /is empty/],
    ["a file that is not there", () => add("x.bin", { path: "/nowhere/x.bin" }), /no file/],
    ["a name without letters", () => add("習慣.exe"), /too few letters and digits for a public/],
    [
      "a public name with a space",
      () => add("a.exe", { fileName: "my app.exe" }),
      /"my app\.exe" cannot be a public file name/,
    ],
    ["android without a distribution", () => add("a.apk", { platform: "android" }), /needs --dist/],
    ["linux with one", () => add("a.deb", { distribution: "direct" }), /Only android/],
    ["a published release", () => add("a.deb", { version: "1.0.1" }), /never changes/],
    ["an unknown release", () => add("a.deb", { version: "7.7.7" }), /no release 7\.7\.7/],
    [
      "a host that is not allowed",
      () => add("a.deb", { url: "https://evil.example/a.deb" }),
      /not be valid artifacts\[\d+\]\.url/,
    ],
  ] as const) {
    test(name, async () => {
      const before = draft();
      assert.match(messageOf(await attempt()), pattern);
      assert.deepEqual(draft(), before);
    });
  }

  test("a folder", async () => {
    const path = join(fixture.folder, "..", "folder.app");
    mkdirSync(path);
    assert.match(messageOf(await add("x", { path })), /is not a file/);
  });
});

test("a picture is detected by its bytes, not by its name", async () => {
  const start = (text: string) => detectMediaType(Buffer.from(text, "latin1"));
  assert.equal(start("\x89PNG\r\n\x1a\n...."), "image/png");
  assert.equal(start("\xff\xd8\xff\xe0"), "image/jpeg");
  assert.equal(start("RIFF1234WEBPVP8 "), "image/webp");
  assert.equal(start("\0\0\0\x1cftypavif\0\0\0\0"), "image/avif");
  assert.equal(start("\0\0\0\x1cftypmif1\0\0\0\0mif1avifmiaf"), "image/avif");
  assert.equal(start("\0\0\0\x1cftypheic\0\0\0\0mif1heic"), null);
  assert.equal(start("<svg>"), null);
  assert.equal(start(""), null);

  const media = { version: VERSION, id: "story", url: "https://www.example.com/story.png" };
  const fake = await addMedia(context, { ...media, path: file("story.png", "no picture") });
  assert.match(messageOf(fake), /not an AVIF, JPEG, PNG or WebP/);
  const path = file("story.png", Buffer.from("\x89PNG\r\n\x1a\n1", "latin1"));
  assert.equal(done(await addMedia(context, { ...media, path })).change, "added");
  assert.equal(done(await addMedia(context, { ...media, path })).change, "replaced");
  assert.deepEqual(
    draft().media.map(({ id, mimeType, size }: Record<string, unknown>) => [id, mimeType, size]),
    [["story", "image/png", 9]],
  );
  const wrong = await addMedia(context, { ...media, path, id: "Not An Id" });
  assert.match(messageOf(wrong), /media\[1\]\.id/);
});

describe("a file named as builders name files", () => {
  const NAME = "My Habits Setup 1.5.0.exe";
  const URL_OF = (name: string) => `https://downloads.example.com/${encodeURIComponent(name)}`;
  const windows = { platform: "windows" } as const;

  test("keeps its name in the address, and gets a safe public one", async () => {
    for (const [name, expected] of [
      [NAME, "My-Habits-Setup-1.5.0.exe"],
      ["habits-1.5.0+7.dmg", "habits-1.5.0-7.dmg"],
    ] as const) {
      const { artifact, warnings } = done(await add(name, { ...windows, url: URL_OF(name) }));
      assert.equal(artifact.fileName, expected);
      assert.equal(artifact.url, URL_OF(name));
      assert.equal(
        warnings.some((warning) => warning.includes("address")),
        false,
      );
    }
  });

  test("or the public name that is given", async () => {
    const options = { ...windows, url: URL_OF(NAME), fileName: "habits-setup.exe" };
    const { artifact } = done(await add(NAME, options));
    assert.equal(artifact.fileName, "habits-setup.exe");
    assert.equal(done(await add(NAME, options)).change, "unchanged");
  });

  test("a picture too", async () => {
    const path = file("My Story.png", Buffer.from("\x89PNG\r\n\x1a\n1", "latin1"));
    const url = "https://www.example.com/My%20Story.png";
    const { media, warnings } = done(
      await addMedia(context, { version: VERSION, id: "my-story", path, url }),
    );
    assert.deepEqual([media.fileName, warnings], ["My-Story.png", []]);
  });

  test("never takes the place of another file of the same public name", async () => {
    const before = draft();
    const twin = "My-Habits-Setup-1.5.0.exe";
    assert.match(
      messageOf(await add(twin, { ...windows, url: URL_OF(twin) })),
      /"My-Habits-Setup-1\.5\.0\.exe" and "My Habits Setup 1\.5\.0\.exe" would both be called "My-Habits-Setup-1\.5\.0\.exe" for windows x64: give one of them another name with --file-name/,
    );
    assert.deepEqual(draft(), before);
    const renamed = { ...windows, url: URL_OF(twin), fileName: "habits-twin.exe" };
    assert.equal(done(await add(twin, renamed)).change, "added");
    const arm = { ...windows, architecture: "arm64", url: URL_OF(twin) };
    assert.equal(done(await add(twin, arm)).change, "added");
  });

  test("is the same file again at an address that has the public name", async () => {
    const options = { ...windows, url: "https://downloads.example.com/Other-Habits.exe" };
    assert.equal(done(await add("Other Habits.exe", options)).change, "added");
    assert.equal(done(await add("Other Habits.exe", options)).change, "unchanged");
    assert.equal(done(await add("Other Habits.exe", options, "rebuilt")).change, "replaced");
  });

  test("is replaced when it was built again, also at another address", async () => {
    assert.equal(
      done(await add(NAME, { ...windows, url: URL_OF(NAME) }, "rebuilt")).change,
      "replaced",
    );
    const moved = {
      ...windows,
      url: `https://downloads.example.com/2/${encodeURIComponent(NAME)}`,
    };
    assert.equal(done(await add(NAME, moved, "rebuilt")).change, "replaced");
    const latest = { url: "https://downloads.example.com/latest.zip" };
    assert.equal(done(await add("plain.zip", latest)).change, "added");
    assert.equal(done(await add("plain.zip")).change, "replaced");
  });
});

describe("what other updaters check", () => {
  const minimumOs = { minimumOs: "12.0" };

  test("is compared when a file is added again", async () => {
    assert.equal(done(await add("os.rpm")).change, "added");
    assert.equal(done(await add("os.rpm", minimumOs)).change, "replaced");
    assert.equal(done(await add("os.rpm", minimumOs)).change, "unchanged");
    const last = draft().artifacts.at(-1);
    assert.deepEqual(Object.keys(last).slice(-3), ["size", "sha512", "minimumOs"]);
    assert.equal(done(await add("os.rpm")).change, "replaced");
    assert.equal("minimumOs" in draft().artifacts.at(-1), false);
  });

  test("is added to an artifact of before it was computed", async () => {
    done(await add("old.rpm"));
    const path = join(fixture.folder, "releases/9.0.0.json");
    const old = draft();
    delete old.artifacts.at(-1).sha512;
    writeFileSync(path, JSON.stringify(old));
    assert.equal(done(await add("old.rpm")).change, "replaced");
    assert.match(draft().artifacts.at(-1).sha512, /^.{86}==$/);
  });

  test("needs a key that the catalogue has", async () => {
    const sign = { kind: "sign" } as const;
    for (const kind of ["minisign", "sparkle"] as const) {
      assert.match(
        messageOf(await add("a.deb", { [kind]: sign })),
        new RegExp(`no ${kind} key: create one with \`trellis release key new --kind ${kind}\``),
      );
    }
  });

  test("a draft that is not there is told before the file is read", async () => {
    const request = { version: "7.7.7", path: "/nowhere" };
    assert.match(messageOf(await add("a.deb", request)), /no release 7\.7\.7/);
  });
});
