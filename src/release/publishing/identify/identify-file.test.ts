import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { zstdCompressSync } from "node:zlib";
import {
  debFile,
  dmgFile,
  elfFile,
  machOFile,
  msiFile,
  nsisFile,
  peFile,
  rpmFile,
  tarGzFile,
  zipFile,
} from "../../../../test/fixtures/built-files.ts";
import { identifyFile } from "./identify-file.ts";

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "trellis-identify-"));
});
after(() => rm(folder, { recursive: true, force: true }));

async function identify(name: string, content: Buffer | string) {
  const path = join(folder, "content");
  await writeFile(path, content);
  const { kind, platform, architecture, distribution, isSigned, doubt } = await identifyFile(
    path,
    name,
  );
  return {
    place: [platform, architecture, ...(distribution === undefined ? [] : [distribution])].join(
      "/",
    ),
    kind,
    isSigned,
    doubt,
  };
}

const MAC_APP = "Habits.app/Contents/MacOS/Habits";
const BIG = Buffer.alloc(300_000, "resource ");

test("the content of a build tells its platform and architecture, whatever its name", async () => {
  const cases: readonly (readonly [name: string, content: Buffer, place: string, kind: string])[] =
    [
      ["Habits.exe", peFile("x64"), "windows/x64", "PE program"],
      ["Habits.exe", peFile("arm64"), "windows/arm64", "PE program"],
      ["habits", machOFile("arm64"), "macos/arm64", "Mach-O program"],
      ["habits", machOFile("x64", "arm64"), "macos/universal", "Mach-O program"],
      ["habits", elfFile("armv7"), "linux/armv7", "ELF program"],
      ["Habits.AppImage", elfFile("arm64", true), "linux/arm64", "AppImage"],
      ["habits.deb", debFile("amd64"), "linux/x64", "Debian package"],
      ["habits.deb", debFile("all"), "linux/universal", "Debian package"],
      ["habits.deb", debFile("arm64", zstdCompressSync, ".zst"), "linux/arm64", "Debian package"],
      ["habits.rpm", rpmFile("aarch64"), "linux/arm64", "RPM package"],
      ["habits.rpm", rpmFile("noarch"), "linux/universal", "RPM package"],
      [
        "Habits.zip",
        zipFile({ [MAC_APP]: machOFile("arm64") }),
        "macos/arm64",
        "app in a ZIP archive",
      ],
      [
        "Habits.zip",
        zipFile({ "a.txt": BIG, [MAC_APP]: machOFile("x64") }, true),
        "macos/x64",
        "app in a ZIP archive",
      ],
      ["Habits.zip", zipFile({ "Habits/Habits.exe": peFile("x64") }), "windows/x64", "ZIP archive"],
      [
        "Habits.app.tar.gz",
        tarGzFile({ "Habits.app/Contents/Resources/a": BIG, [MAC_APP]: machOFile("arm64", "x64") }),
        "macos/universal",
        "app in a tar archive",
      ],
      [
        "habits.tar.gz",
        tarGzFile({ README: "read me", "bin/habits": elfFile("x64") }),
        "linux/x64",
        "tar archive",
      ],
      [
        "habits.apk",
        zipFile({ "AndroidManifest.xml": "", "lib/arm64-v8a/libhabits.so": "" }),
        "android/arm64/direct",
        "Android package",
      ],
      [
        "habits.apk",
        zipFile({ "AndroidManifest.xml": "", "lib/arm64-v8a/a.so": "", "lib/x86_64/a.so": "" }),
        "android/universal/direct",
        "Android package",
      ],
      [
        "habits.aab",
        zipFile({ "base/manifest/AndroidManifest.xml": "" }),
        "android/universal/play",
        "app bundle",
      ],
      [
        "Habits.ipa",
        zipFile({ "Payload/Habits.app/Habits": machOFile("arm64") }),
        "ios/arm64",
        "iOS app",
      ],
    ];
  for (const [name, content, place, kind] of cases) {
    const found = await identify(name, content);
    assert.deepEqual([found.place, found.kind, found.doubt], [place, kind, undefined], name);
  }
});

test("an installer of electron-builder is for the architecture of the app that it has packed", async () => {
  const filler = Array.from({ length: 9000 }, (_, index) => `$INSTDIR\\resources\\${index}.bin`);
  for (const [content, place] of [
    [nsisFile(["\u0080\\app-64.7z"]), "windows/x64"],
    [nsisFile(["\u0080\\app-arm64.7z"], false), "windows/arm64"],
    [nsisFile(["\u0080\\app-32.7z"]), "windows/x86"],
    [nsisFile([...filler, "\u0080\\app-arm64.7z", ...filler]), "windows/arm64"],
    [nsisFile([...filler, "\u0080\\app-64.7z", ...filler], false), "windows/x64"],
  ] as const) {
    const found = await identify("Habits Setup 1.4.0.exe", content);
    assert.deepEqual([found.place, found.doubt, found.isSigned], [place, undefined, true]);
  }
  const wrong = await identify("Habits-arm64.exe", nsisFile(["\\app-64.7z"]));
  assert.match(wrong.doubt ?? "", /its name says arm64, and its content x64/);
});

test("an installer of several architectures, or of another maker, needs its name", async () => {
  const damaged = nsisFile(["\\app-64.7z"]);
  damaged.fill(0xff, 1024 + 32);
  for (const content of [
    nsisFile(["\\app-64.7z", "\\app-arm64.7z"]),
    nsisFile(["\\myapp-64.7z", "app-64.7z"]),
    nsisFile([]),
    damaged,
  ]) {
    const { doubt } = await identify("Habits Setup 1.4.0.exe", content);
    assert.match(doubt ?? "", /32-bit installer/);
    assert.equal((await identify("Habits-Setup-arm64.exe", content)).place, "windows/arm64");
  }
});

test("the name tells what the content does not", async () => {
  for (const [name, content, place] of [
    ["Habits_1.4.0_x64-setup.exe", peFile("x86"), "windows/x64"],
    ["Habits-1.4.0-ia32.exe", peFile("x86"), "windows/x86"],
    ["Habits_1.4.0_x64_en-US.msi", msiFile(), "windows/x64"],
    ["Habits_1.4.0_aarch64.dmg", dmgFile(), "macos/arm64"],
    ["Habits-1.4.0-universal.dmg", dmgFile(), "macos/universal"],
    ["habits_1.4.0_armhf.deb", debFile("x", (bytes) => bytes, ".xz"), "linux/armv7"],
    ["habits-win32-x64.zip", zipFile({ "a.txt": "a" }), "windows/x64"],
    ["habits-linux-x86_64.zip", zipFile({ "a.txt": "a" }), "linux/x64"],
    ["habits-1.4.0.x64.pacman", Buffer.from("any"), "linux/x64"],
  ] as const) {
    const found = await identify(name, content);
    assert.deepEqual([found.place, found.doubt], [place, undefined], name);
  }
});

test("what neither tells, or what they tell differently, is a doubt", async () => {
  for (const [name, content, doubt] of [
    ["Habits Setup 1.4.0.exe", peFile("x86"), /32-bit installer/],
    ["Habits-1.4.0.dmg", dmgFile(), /neither its name nor its content tells the architecture/],
    [
      "Habits-x64.dmg",
      Buffer.from("<html>Not found</html>"),
      /a file for macos, and its content is of an unknown kind/,
    ],
    ["Habits-x64.exe", elfFile("x64"), /a file for windows, and its content is ELF program/],
    ["Habits-arm64.exe", peFile("x64"), /its name says arm64, and its content x64/],
    ["Habits-x64-arm64.dmg", dmgFile(), /neither its name/],
    ["Habits.app.tar.gz", tarGzFile({ "Habits.app/Contents/Info.plist": "" }), /a file for macos/],
    ["habits.bin", Buffer.from("any"), /names a platform/],
    ["habits-x64.zip", zipFile({ "index.html": "" }), /names a platform/],
    ["cut-linux.tar.gz", tarGzFile({ a: elfFile("x64") }).subarray(0, 40), /neither its name/],
    ["java.class", Buffer.from(`cafebabe00000041${"0".repeat(64)}`, "hex"), /names a platform/],
  ] as const) {
    assert.match((await identify(name, content)).doubt ?? "", doubt, name);
  }
});

test("a program for Windows tells whether it has a code signature", async () => {
  assert.equal((await identify("a.exe", peFile("x64", true))).isSigned, true);
  assert.equal((await identify("a.exe", peFile("x64"))).isSigned, false);
  assert.equal((await identify("a-x86.exe", peFile("x86", true))).isSigned, true);
  assert.equal((await identify("a-x64.dmg", dmgFile())).isSigned, undefined);
});

test("cut and hostile headers are read without an error", async () => {
  const files = [
    peFile("x64"),
    machOFile("x64", "arm64"),
    elfFile("x64"),
    debFile("amd64"),
    rpmFile("x86_64"),
    zipFile({ [MAC_APP]: machOFile("x64") }),
  ];
  for (const file of files) {
    for (let length = 1; length < file.length; length += 7) {
      await identify("habits", file.subarray(0, length));
    }
    await identify("habits", Buffer.concat([file.subarray(0, 8), Buffer.alloc(600, 0xff)]));
  }
});
