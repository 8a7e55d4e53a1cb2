/** Finds the files of an upload on this machine. Only their content decides. */
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { toPublicFileName } from "../../rules/release/file-name.ts";
import { publishingError, type PublishingError } from "./change-catalog.ts";
import { DIGESTS_ONLY, hashFile, type HashedFile, type HashProgress } from "./hash-file.ts";
import type { PlannedFile } from "./plan-upload.ts";

export interface MatchedFile {
  readonly file: PlannedFile;
  readonly path: string;
}

export type MatchResult =
  | { readonly kind: "matched"; readonly matches: readonly MatchedFile[] }
  | PublishingError;

/** electron-updater reads the block map of a file beside it, to download only what changed. */
const BLOCK_MAP = ".blockmap";

/** Every planned file must be in the folder or below it, under its name. */
export async function matchFolder(
  files: readonly PlannedFile[],
  folder: string,
  onProgress?: HashProgress,
): Promise<MatchResult> {
  let entries;
  try {
    entries = await readdir(folder, { recursive: true, withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return publishingError(`Cannot read the folder "${folder}" (${code}): check --from`);
  }
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const problems: string[] = [];
  const matches: MatchedFile[] = [];
  for (const file of files) {
    const candidates = paths.filter((path) => isNamed(file, path));
    const found = await findEqual(file, candidates, onProgress);
    if (found !== null) {
      matches.push({ file, path: found });
      const blockMap = `${found}${BLOCK_MAP}`;
      const map = paths.includes(blockMap) ? await matchBlockMap(file, blockMap) : null;
      if (map?.kind === "refused") problems.push(map.message);
      else if (map !== null) matches.push(map);
    } else if (candidates.length === 0) problems.push(`There is no "${file.names[0]}"`);
    else problems.push(explainDifferent(candidates, file));
  }
  return problems.length > 0
    ? publishingError(`"${folder}" does not have every file`, [], problems)
    : { kind: "matched", matches };
}

/** Every path must be one of the planned files, whatever its name. */
export async function matchPaths(
  files: readonly PlannedFile[],
  paths: readonly string[],
  onProgress?: HashProgress,
): Promise<MatchResult> {
  const problems: string[] = [];
  const matches: MatchedFile[] = [];
  for (const path of paths) {
    const mapped = path.endsWith(BLOCK_MAP)
      ? files.find((file) => isNamed(file, path.slice(0, -BLOCK_MAP.length)))
      : undefined;
    if (mapped !== undefined) {
      const map = await matchBlockMap(mapped, path);
      if (map.kind === "refused") problems.push(map.message);
      else matches.push(map);
      continue;
    }
    const hashed = await hashFile(path, DIGESTS_ONLY, onProgress);
    if (hashed.kind === "refused") {
      problems.push(hashed.message);
      continue;
    }
    const equal = files.filter((file) => isEqual(hashed, file));
    matches.push(...equal.map((file) => ({ file, path })));
    if (equal.length > 0) continue;
    const named = files.find((file) => isNamed(file, path));
    problems.push(
      named === undefined
        ? `"${path}" is not a file of this release: check the version, or add it`
        : explainDifferent([path], named),
    );
  }
  return problems.length > 0
    ? publishingError("Nothing was uploaded", [], problems)
    : { kind: "matched", matches };
}

/**
 * No catalogue has the digest of a block map, and none is needed: what an updater puts together with a
 * wrong one fails the digest of the file, and it downloads the whole file then.
 */
async function matchBlockMap(
  file: PlannedFile,
  path: string,
): Promise<(MatchedFile & { readonly kind: "matched" }) | PublishingError> {
  const hashed = await hashFile(path, DIGESTS_ONLY);
  if (hashed.kind === "refused") return hashed;
  if (hashed.start[0] !== 0x1f || hashed.start[1] !== 0x8b) {
    return publishingError(`"${path}" is not a block map of electron-builder: build it again`);
  }
  const { key, names } = file;
  const url = new URL(file.url);
  url.pathname += BLOCK_MAP;
  const { size, sha256 } = hashed;
  return {
    kind: "matched",
    path,
    file: {
      ...file,
      key: `${key}${BLOCK_MAP}`,
      url: url.href,
      names: names.map((name) => `${name}${BLOCK_MAP}`),
      size,
      sha256,
      contentType: "application/octet-stream",
    },
  };
}

/** Builders use names that the catalogue does not, so the name that was made from one counts too. */
function isNamed({ names }: PlannedFile, path: string): boolean {
  const name = basename(path);
  return names.includes(name) || names.includes(toPublicFileName(name) ?? name);
}

async function findEqual(
  file: PlannedFile,
  candidates: readonly string[],
  onProgress: HashProgress | undefined,
): Promise<string | null> {
  for (const path of candidates) {
    const hashed = await hashFile(path, DIGESTS_ONLY, onProgress);
    if (hashed.kind === "hashed" && isEqual(hashed, file)) return path;
  }
  return null;
}

function isEqual(hashed: HashedFile, { size, sha256 }: PlannedFile): boolean {
  return hashed.size === size && hashed.sha256 === sha256;
}

function explainDifferent(paths: readonly string[], { size, sha256 }: PlannedFile): string {
  const names = paths.map((path) => `"${path}"`).join(" and ");
  return `${names} is not the file that was added (${size} bytes, SHA-256 ${sha256}): build it again or, in a draft, add this one`;
}
