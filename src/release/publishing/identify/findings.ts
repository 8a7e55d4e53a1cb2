/** What a reader has found so far. It stays true when the rest cannot be read. */
import type { Detected } from "../../../contract/release/catalog.ts";
import type { ArtifactPlatform, Distribution } from "../../../contract/release/values.ts";
import type { Executable } from "./read-executable.ts";

export interface Findings {
  /** What people call the file, such as "disk image". */
  kind?: string;
  platform?: ArtifactPlatform;
  architecture?: string;
  distribution?: Distribution;
  /** Whether the file has a code signature; absent when the content does not tell. */
  isSigned?: boolean;
  /** A 32-bit installer may install a program of any architecture. */
  isInstaller?: boolean;
  /** The version and build that it says it is. */
  detected?: Detected;
}

export function findProgram(
  found: Findings,
  archive: string,
  { platform, architecture }: Executable,
): void {
  found.kind = platform === "macos" ? `app in a ${archive}` : archive;
  found.platform = platform;
  found.isInstaller = platform === "windows";
  if (architecture !== undefined) found.architecture = architecture;
}

const IN_MAC_APP = /^(?:[^/]+\/){0,2}[^/]+\.app\/Contents\//;

/** The program lies deeper than the budget reaches, and the files before it tell the system. */
export function findAppFolder(
  found: Findings,
  archive: string,
  entries: readonly { readonly name: string }[],
): void {
  if (!entries.some(({ name }) => IN_MAC_APP.test(name))) return;
  found.kind = `app in a ${archive}`;
  found.platform = "macos";
}
