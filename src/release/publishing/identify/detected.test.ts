/** What files say of themselves, as the tools of each system write it. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import {
  debFile,
  MAC_PROGRAM,
  machOFile,
  peFile,
  rpmFile,
  tarGzFile,
  zipFile,
} from "../../../../test/fixtures/built-files.ts";
import { appendBlockMap } from "../../../../test/fixtures/block-map.ts";
import {
  androidManifest,
  appImageFile,
  binaryInfoPlist,
  infoPlist,
  msiWithProperties,
  withVersionResource,
} from "../../../../test/fixtures/versioned-files.ts";
import { identifyFile } from "./identify-file.ts";

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "trellis-detected-"));
});
after(() => rm(folder, { recursive: true, force: true }));

async function detect(name: string, content: Buffer) {
  const path = join(folder, "content");
  await writeFile(path, content);
  return (await identifyFile(path, name)).detected;
}

const PLIST = "Habits.app/Contents/Info.plist";
const APP = { [MAC_PROGRAM]: machOFile("arm64") };
const INNER = "Habits.app/Contents/Frameworks/Helper.app/Contents/Info.plist";

test("every format says its version, and what numbers the build", async () => {
  for (const [name, content, expected] of [
    ["a.deb", debFile("amd64", gzipSync, ".gz", "1:1.4.0-1"), ["deb", "1:1.4.0-1"]],
    ["a.rpm", rpmFile("x86_64", [[1001, "1.4.0"]]), ["rpm", "1.4.0"]],
    ["a.exe", withVersionResource(peFile("x64"), "1.4.0-beta.3"), ["exe", "1.4.0-beta.3"]],
    ["a.exe", withVersionResource(peFile("x86"), "1.4.0   "), ["exe", "1.4.0"]],
    ["a.exe", withVersionResource(peFile("x64"), "1, 4, 0, 7"), ["exe", "1.4.0.7"]],
    ["a.exe", withVersionResource(peFile("x64"), "1.4.0 (release)"), ["exe", "1.4.0"]],
    ["a.exe", withVersionResource(peFile("x64"), "", [1, 4, 0, 57]), ["exe", "1.4.0.57"]],
    ["a.exe", withVersionResource(peFile("x64"), "0.0.0.0", [1, 4, 0, 0]), ["exe", "1.4.0.0"]],
    ["a.msi", msiWithProperties({ Manufacturer: "H", ProductVersion: "1.4.0" }), ["msi", "1.4.0"]],
    [
      "a.msi",
      msiWithProperties({ Licence: "l".repeat(9000), ProductVersion: "1.4.0" }),
      ["msi", "1.4.0"],
    ],
    ["a.AppImage", appImageFile(DESKTOP_ENTRY), ["appimage", "1.4.0"]],
    ["a.AppImage", appendBlockMap(appImageFile(DESKTOP_ENTRY)), ["appimage", "1.4.0"]],
    ["a.apk", apk(androidManifest("1.4.0", 57)), ["apk", "1.4.0", 57]],
    ["a.apk", apk(androidManifest("1.4.0", 57, false)), ["apk", "1.4.0", 57]],
    ["a.zip", zipFile({ ...APP, [PLIST]: infoPlist("1.4.0", "57") }), ["plist", "1.4.0", 57]],
    ["a.zip", zipFile({ ...APP, [PLIST]: infoPlist("1.4.0", "1.4.0") }), ["plist", "1.4.0"]],
    [
      "a.zip",
      zipFile({ [INNER]: infoPlist("9.9.9", "9"), ...APP, [PLIST]: infoPlist("1.4.0", "57") }),
      ["plist", "1.4.0", 57],
    ],
    ["a.tar.gz", tarGzFile({ [PLIST]: infoPlist("1.4.0", "57"), ...APP }), ["plist", "1.4.0", 57]],
    ["a.tar.gz", tarGzFile({ ...APP, [PLIST]: infoPlist("1.4.0", "57") }), ["plist", "1.4.0", 57]],
    [
      "a.ipa",
      zipFile({ "Payload/Habits.app/Info.plist": binaryInfoPlist("1.4.0", "57") }),
      ["plist", "1.4.0", 57],
    ],
  ] as const) {
    const [format, version, build] = expected;
    const wanted = { format, version, ...(build !== undefined && { build }) };
    assert.deepEqual(await detect(name, content), wanted, `${name} ${expected.join(" ")}`);
  }
});

const DESKTOP_ENTRY = "[Desktop Entry]\nName=Habits\nX-AppImage-Version=1.4.0\n";

function apk(manifest: Buffer): Buffer {
  return zipFile({ "AndroidManifest.xml": manifest, "lib/arm64-v8a/a.so": "" });
}

test("zeros, texts of control characters and long ones say nothing", async () => {
  for (const text of ["0.0.0.0", "0", "  ", "\u001b[2J1.4.0", "1".repeat(129), "\u0661.4.0"]) {
    assert.equal(await detect("a.exe", withVersionResource(peFile("x64"), text)), undefined, text);
  }
  assert.equal(await detect("a.exe", peFile("x64")), undefined);
  assert.equal(await detect("a.AppImage", appImageFile(DESKTOP_ENTRY, "xz")), undefined);
  assert.equal(await detect("a.msi", msiWithProperties({ Manufacturer: "H" })), undefined);
});

test("what is damaged behind the headers still tells the platform", async () => {
  const program = withVersionResource(peFile("x64"), "1.4.0");
  // The resources lead out of the section.
  program.writeUInt32LE(0xffff_0000, 1024 + 72);
  const path = join(folder, "content");
  await writeFile(path, program);
  const { platform, architecture, detected } = await identifyFile(path, "a.exe");
  assert.deepEqual([platform, architecture, detected], ["windows", "x64", undefined]);
});
