import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { appendBlockMap } from "../../../../test/fixtures/block-map.ts";
import { identifyFile } from "./identify-file.ts";

const CONTENT = Buffer.from("the content of an app");

async function sizeOf(bytes: Buffer, name = "Habits.AppImage"): Promise<number | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "trellis-block-map-"));
  try {
    writeFileSync(join(folder, name), bytes);
    return (await identifyFile(join(folder, name), name)).blockMapSize;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("the length of the map behind the content of an AppImage is found", async () => {
  const bytes = appendBlockMap(CONTENT);
  assert.equal(await sizeOf(bytes), bytes.length - CONTENT.length - 4);
  assert.equal(await sizeOf(bytes, "habits.APPIMAGE"), bytes.length - CONTENT.length - 4);
  assert.equal(await sizeOf(bytes, "Habits.exe"), undefined);
});

test("an AppImage whose end is no map of its content has none", async () => {
  const bytes = appendBlockMap(CONTENT);
  const length = (value: number) => {
    const end = Buffer.alloc(4);
    end.writeUInt32BE(value);
    return end;
  };
  const bomb = appendBlockMap(CONTENT, { files: [{ sizes: [Number.NaN], a: "a".repeat(1000) }] });
  for (const [name, file] of Object.entries({
    "no map": CONTENT,
    "no bytes": Buffer.alloc(3),
    "zero length": Buffer.concat([CONTENT, length(0)]),
    "longer than the file": Buffer.concat([CONTENT, length(0xffff_ffff)]),
    "longer than the content": Buffer.concat([bytes.subarray(0, -4), length(bytes.length - 4)]),
    "one byte short": bytes.subarray(1),
    "another content": Buffer.concat([Buffer.from("more"), bytes]),
    "broken deflate": Buffer.concat([CONTENT, Buffer.alloc(20, 0xff), length(20)]),
    "a long map of little": appendBlockMap(CONTENT, {
      files: [{ sizes: [CONTENT.length, ...Array.from({ length: 70_000 }, () => 0)] }],
    }),
    "no sizes": appendBlockMap(CONTENT, { files: [{}] }),
    null: appendBlockMap(CONTENT, null),
    "no numbers": bomb,
  })) {
    assert.equal(await sizeOf(file), undefined, name);
  }
});
