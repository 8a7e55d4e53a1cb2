/** What the files of a build are, and the questions about those that tell too little. */
import { lstat, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { DraftRelease } from "../../../contract/release/catalog.ts";
import { ARTIFACT_PLATFORMS, type ArtifactPlatform } from "../../../contract/release/values.ts";
import {
  identifyFile,
  type IdentifiedFile,
} from "../../../release/publishing/identify/identify-file.ts";
import { linkError } from "../../../release/publishing/hash-file.ts";
import { checkArchitecture } from "../../../rules/release/architectures.ts";
import { isBesideRelease } from "../../../rules/release/file-kinds.ts";
import { toPublicFileName } from "../../../rules/release/file-name.ts";
import { CommandError, UsageError, type PromptContext } from "../../command.ts";
import { askText } from "../../prompts.ts";

export interface EnteredFile extends IdentifiedFile {
  readonly path: string;
  readonly name: string;
  readonly platform: ArtifactPlatform;
  readonly architecture: string;
  /** The .sig file beside it. */
  readonly signaturePath?: string;
}

export interface SkippedFile {
  readonly path: string;
  readonly reason: string;
}

export interface Build {
  readonly files: readonly EnteredFile[];
  readonly skipped: readonly SkippedFile[];
}

interface Place {
  readonly platform: ArtifactPlatform;
  readonly architecture: string;
}

/** `told` is what --as says of a file by its name; `draft` knows what an earlier run was given. */
export async function identifyFiles(
  context: PromptContext,
  given: readonly string[],
  told: ReadonlyMap<string, Place | "skip">,
  draft: DraftRelease | undefined,
): Promise<Build> {
  const { named, skipped } = await sortPaths(await openFolders(given), told);
  const signatures = takeCompanions(named, skipped);
  const files: EnteredFile[] = [];
  const unknown: string[] = [];
  for (const [name, path] of named) {
    const identified = await identifyFile(path, name).catch((error: NodeJS.ErrnoException) => {
      throw unreadableError(path, error);
    });
    const place =
      placeOf(name, identified, told, draft) ?? (await askPlace(context, name, identified));
    if (place === "skip") skipped.push({ path, reason: "as you said" });
    else if (place === undefined) unknown.push(`"${name}": ${identified.doubt}`);
    else {
      const signaturePath = signatures.get(name);
      files.push({
        ...identified,
        ...place,
        path,
        name,
        ...(signaturePath !== undefined && { signaturePath }),
      });
    }
  }
  if (unknown.length > 0) throw unknownError(unknown);
  return { files: files.toSorted(byUse), skipped };
}

/** Folders stand for the files in them, unless there are files too: `dist/*` names what is unpacked beside them. */
async function openFolders(paths: readonly string[]): Promise<readonly string[]> {
  const stats = await Promise.all(paths.map((path) => lstat(path).catch(() => undefined)));
  if (!stats.every((item) => item?.isDirectory() === true)) return paths;
  const files: string[] = [];
  for (const path of paths) {
    const names = await readdir(path).catch((error: NodeJS.ErrnoException) => {
      throw unreadableError(path, error);
    });
    // A shell leaves hidden files out of a pattern, too.
    const visible = names.filter((name) => !name.startsWith("."));
    if (visible.length === 0)
      throw new CommandError(`The folder "${path}" has no files: was it built?`);
    files.push(...visible.toSorted().map((name) => join(path, name)));
  }
  return files;
}

function unreadableError(path: string, { code }: NodeJS.ErrnoException): CommandError {
  return new CommandError(`Cannot read "${path}" (${code}): check its permissions`);
}

/** Takes signatures and block maps out of the files. Returns the signatures by the names of their files. */
function takeCompanions(named: Map<string, string>, skipped: SkippedFile[]): Map<string, string> {
  const signatures = new Map<string, string>();
  for (const [name, path] of named) {
    const of = /^(.+)\.(?:sig|minisig|blockmap)$/i.exec(name)?.[1];
    if (of === undefined) continue;
    named.delete(name);
    const isBlockMap = /\.blockmap$/i.test(name);
    if (!named.has(of)) skipped.push({ path, reason: `"${of}" is not among the files` });
    else if (isBlockMap) skipped.push({ path, reason: "`release upload` takes it with its file" });
    else signatures.set(of, path);
  }
  return signatures;
}

/** The files by their name, without folders and without what is beside a release. */
async function sortPaths(paths: readonly string[], told: ReadonlyMap<string, unknown>) {
  const named = new Map<string, string>();
  const skipped: SkippedFile[] = [];
  for (const path of paths) {
    const name = basename(path);
    const stats = await lstat(path).catch(() => undefined);
    if (stats === undefined) throw new CommandError(`There is no file "${path}"`);
    const reason = stats.isDirectory()
      ? "it is a folder"
      : told.get(name) === "skip"
        ? "as you said"
        : isBesideRelease(name) && !told.has(name)
          ? "people and updaters do not install such a file"
          : null;
    if (reason !== null) skipped.push({ path, reason });
    else if (stats.isSymbolicLink()) throw new CommandError(linkError(path));
    else if (!stats.isFile()) throw new CommandError(`"${path}" is not a file`);
    else if (named.has(name)) {
      throw new CommandError(
        `"${named.get(name)}" and "${path}" would have the same address: rename one of them`,
      );
    } else named.set(name, path);
  }
  const absent = [...told.keys()].find((name) => !paths.some((path) => basename(path) === name));
  if (absent !== undefined)
    throw new UsageError(`--as names "${absent}", which is not among the files`);
  return { named, skipped };
}

function placeOf(
  name: string,
  { platform, architecture }: IdentifiedFile,
  told: ReadonlyMap<string, Place | "skip">,
  draft: DraftRelease | undefined,
): Place | "skip" | undefined {
  const given = told.get(name);
  if (given !== undefined) return given;
  if (platform !== undefined && architecture !== undefined) return { platform, architecture };
  const publicName = toPublicFileName(name);
  const [known, ...others] =
    draft?.artifacts.filter(({ fileName }) => fileName === publicName) ?? [];
  return known === undefined || others.length > 0
    ? undefined
    : { platform: known.platform, architecture: known.architecture };
}

async function askPlace(
  context: PromptContext,
  name: string,
  { doubt, platform }: IdentifiedFile,
): Promise<Place | "skip" | undefined> {
  if (!context.isInteractive) return undefined;
  const typed = await askText(
    context,
    `What is "${name}" for (${doubt})? PLATFORM/ARCH such as macos/universal, or skip`,
    platform === undefined ? "" : `${platform}/`,
    (text) => (parsePlace(text) === undefined ? PLACE_FORM : undefined),
  );
  return parsePlace(typed);
}

const PLACE_FORM = `Write skip, or PLATFORM/ARCH, where PLATFORM is ${ARTIFACT_PLATFORMS.join(", ")}`;

function unknownError(unknown: readonly string[]): CommandError {
  return new CommandError(
    [
      "Nothing was changed, because it is not clear what these files are for:",
      ...unknown.map((line) => `  ${line}`),
      "Set it with --as NAME=PLATFORM/ARCH such as --as Habits.dmg=macos/universal, or skip a file with --as NAME=skip",
    ],
    { unknown },
  );
}

function parsePlace(text: string): Place | "skip" | undefined {
  if (text === "skip") return text;
  const [given, architecture = "", ...rest] = text.split("/");
  const platform = ARTIFACT_PLATFORMS.find((name) => name === given);
  if (platform === undefined || architecture === "" || rest.length > 0) return undefined;
  const check = checkArchitecture(architecture);
  return { platform, architecture: check.kind === "alias" ? check.usual : architecture };
}

/** Parses the values of --as. */
export function parsePlaces(values: readonly string[]): Map<string, Place | "skip"> {
  return new Map(
    values.map((value) => {
      const at = value.lastIndexOf("=");
      const place = parsePlace(value.slice(at + 1));
      if (at < 1 || place === undefined) {
        throw new UsageError(
          `--as must be NAME=PLATFORM/ARCH such as Habits.dmg=macos/universal, or NAME=skip, not "${value}"`,
        );
      }
      return [basename(value.slice(0, at)), place] as const;
    }),
  );
}

/** What people are used to installs first: a download without a choice leads to the first file. */
const USE_ORDER = [".exe", ".msi", ".msix", ".dmg", ".pkg", ".appimage", ".deb", ".rpm", ".apk"];

function byUse(a: EnteredFile, b: EnteredFile): number {
  return rankOf(a) - rankOf(b) || (a.name < b.name ? -1 : 1);
}

function rankOf({ name, platform }: EnteredFile): number {
  const at = USE_ORDER.findIndex((ending) => name.toLowerCase().endsWith(ending));
  return ARTIFACT_PLATFORMS.indexOf(platform) * 100 + (at < 0 ? USE_ORDER.length : at);
}
