/** A valid backup of any service, for tests that damage it. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { createBackupMac } from "../../src/backup/format/authenticate-backup.ts";
import type { BackupKey, BackupTrailer } from "../../src/backup/format/backup-format.ts";

export const BACKUP_KEY: BackupKey = { id: "of-tests", secret: new Uint8Array(32).fill(7) };
export const findBackupKey = async () => BACKUP_KEY;

/** What begins like a backup, and could be one by its size. */
export const LIKE_A_BACKUP = Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.alloc(300)]);

export interface BackupSample {
  readonly folder: string;
  readonly bytes: Buffer;
  /** All but the last one. */
  readonly lines: readonly string[];
  /** The last one, with the HMAC. */
  readonly seal: string;
  /** Expects that a file of these bytes is refused, and that no scratch file is left. */
  refuses(bytes: Uint8Array, why: RegExp): Promise<void>;
  /** Expects that a file with one flipped bit is refused, or has the same contents. */
  noticesFlippedBits(numRuns: number): Promise<void>;
}

export async function readSample(
  path: string,
  verify: (path: string) => Promise<unknown>,
): Promise<BackupSample> {
  const bytes = await readFile(path);
  const original = gunzipSync(bytes);
  const broken = `${path}.broken`;
  const lines = original.toString().trimEnd().split("\n");
  return {
    folder: dirname(path),
    bytes,
    lines: lines.slice(0, -1),
    seal: lines.at(-1) ?? "",
    async refuses(changed, why) {
      await writeFile(broken, changed);
      await assert.rejects(verify(broken), (error: Error) => {
        assert.equal(error.name, "BackupRefusedError");
        assert.match(error.message, why);
        return true;
      });
      const names = await readdir(dirname(path));
      assert.deepEqual(
        names.filter((name) => name.includes("scratch")),
        [],
      );
    },
    noticesFlippedBits: (numRuns) =>
      fc.assert(
        fc.asyncProperty(fc.integer({ min: 0, max: bytes.length * 8 - 1 }), async (bit) => {
          const flipped = Buffer.from(bytes);
          flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
          await writeFile(broken, flipped);
          const result = await verify(broken).then(
            () => "sound",
            (error: Error) => error.name,
          );
          // Some bytes of the gzip header do not affect the contents.
          if (result === "sound") assert.ok(gunzipSync(flipped).equals(original));
          else assert.equal(result, "BackupRefusedError");
        }),
        { numRuns },
      ),
  };
}

/** Packs lines again, with the right counts, digest and HMAC unless `change` alters them. */
export function packBackup(
  lines: readonly string[],
  change?: (trailer: BackupTrailer) => object,
): Buffer {
  const complete = completeLines(lines, change);
  return packLines([...complete, sealLines(complete)]);
}

/** Lines whose trailer has the right counts and digest, unless `change` alters them. */
export function completeLines(
  lines: readonly string[],
  change: (trailer: BackupTrailer) => object = (same) => same,
): string[] {
  const body = lines.slice(0, -1);
  const trailer = JSON.parse(lines.at(-1) ?? "") as BackupTrailer;
  const counts = Object.fromEntries(
    Object.keys(trailer.counts).map((name) => [
      name,
      body.filter((line) => line.startsWith(`["${name}"`)).length,
    ]),
  );
  const sha256 = createHash("sha256")
    .update(`${body.join("\n")}\n`)
    .digest("hex");
  return [...body, JSON.stringify(change({ ...trailer, counts, sha256 }))];
}

/** The line with the HMAC of these. */
export function sealLines(lines: readonly string[], key: BackupKey = BACKUP_KEY): string {
  const mac = createBackupMac(key);
  for (const line of lines) mac.update(line);
  return mac.finish();
}

export function packLines(lines: readonly string[]): Buffer {
  return gzipSync(`${lines.join("\n")}\n`);
}
