/** What a Debian package says of itself, by deb(5): an ar archive of debian-binary, the control archive, the data. */
import type { BoundedFile } from "./bounded-file.ts";
import { damaged } from "./budget.ts";
import { detectVersion } from "./detect-version.ts";
import type { Findings } from "./findings.ts";
import { inflate } from "./inflate.ts";
import { readTar } from "./read-tar.ts";

/** Node has no decoder for xz: such a package is known by its name. */
const COMPRESSIONS = {
  "control.tar": null,
  "control.tar.gz": "gzip",
  "control.tar.zst": "zstd",
} as const;

const MAX_CONTROL_BYTES = 64 * 1024;

export async function readDeb(file: BoundedFile, found: Findings): Promise<void> {
  found.kind = "Debian package";
  found.platform = "linux";
  for (let at = 8; at < file.size;) {
    file.budget.enter();
    const header = (await file.read(at, 60)).toString("latin1");
    const digits = /^(\d+) *$/.exec(header.slice(48, 58))?.[1];
    if (digits === undefined) throw damaged();
    const [start, end] = [at + 60, at + 60 + Number(digits)];
    const name = header.slice(0, 16).trim().replace(/\/$/, "");
    if (Object.hasOwn(COMPRESSIONS, name)) {
      const compression = COMPRESSIONS[name as keyof typeof COMPRESSIONS];
      const packed = file.pieces(start, end);
      const archive = compression === null ? packed : inflate(compression, packed, file.budget);
      return readControl(archive, file, found);
    }
    // The control archive comes before the data.
    if (name.startsWith("data.")) return;
    at = end + (end % 2);
  }
}

async function readControl(
  archive: AsyncIterable<Buffer>,
  { budget }: BoundedFile,
  found: Findings,
): Promise<void> {
  for await (const { name, start } of readTar(archive, budget)) {
    if (name !== "control" && name !== "./control") continue;
    const text = (await start(MAX_CONTROL_BYTES)).toString("utf8");
    const architecture = /^Architecture:[ \t]*(\S+)/m.exec(text)?.[1];
    if (architecture !== undefined) found.architecture = architecture;
    detectVersion(found, "deb", /^Version:[ \t]*(\S+)/m.exec(text)?.[1]);
    return;
  }
}
