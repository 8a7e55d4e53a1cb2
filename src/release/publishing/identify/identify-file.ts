/** What a built file is: its kind, platform and architecture, by its content first and then by its name. */
import type { Detected } from "../../../contract/release/catalog.ts";
import type { ArtifactPlatform, Distribution } from "../../../contract/release/values.ts";
import { architectureInName, checkArchitecture } from "../../../rules/release/architectures.ts";
import { platformInName, platformOfKind } from "../../../rules/release/file-kinds.ts";
import { withBoundedFile } from "./bounded-file.ts";
import { createBudget } from "./budget.ts";
import type { Findings } from "./findings.ts";
import { readBlockMapSize } from "./read-block-map.ts";
import { readContent, type ContentResult } from "./read-content.ts";

export interface IdentifiedFile {
  /** What people call it, such as "disk image". */
  readonly kind: string;
  readonly platform?: ArtifactPlatform;
  readonly architecture?: string;
  readonly distribution?: Distribution;
  /** Whether the file has a code signature; absent when the content does not tell. */
  readonly isSigned?: boolean;
  /** The version and build that it says it is. */
  readonly detected?: Detected;
  /** The length of the block map at the end of an AppImage. */
  readonly blockMapSize?: number;
  /** Why the platform or the architecture is not known. */
  readonly doubt?: string;
}

/** Reads a few parts of the file, however large it is. Throws what the file system says. */
export function identifyFile(
  path: string,
  name: string,
  budget = createBudget(),
): Promise<IdentifiedFile> {
  return withBoundedFile(path, budget, async (file) => {
    const isAppImage = name.toLowerCase().endsWith(".appimage");
    const blockMapSize = isAppImage ? await readBlockMapSize(file) : undefined;
    const identified = decide(name, await readContent(file, name));
    return { ...identified, ...(blockMapSize !== undefined && { blockMapSize }) };
  });
}

/** The name tells what the content cannot. Where the two differ, a person must tell. */
function decide(name: string, { found, isTooComplex }: ContentResult): IdentifiedFile {
  const expected = platformOfKind(name);
  const isOther = expected?.isReadable === true && found.platform !== expected.platform;
  // What lies deeper than the budget may be what the name says.
  if (isOther && !(isTooComplex && found.platform === undefined)) {
    const { kind = "of an unknown kind" } = found;
    return {
      kind: "unknown",
      doubt: `its name is that of a file for ${expected.platform}, and its content is ${kind}`,
    };
  }
  const platform = found.platform ?? expected?.platform ?? platformInName(name);
  const { kind = "file", distribution, isSigned, detected } = found;
  const isUnread = isTooComplex && found.architecture === undefined;
  const facts = {
    kind: isUnread ? `${kind}, too complex to look into` : kind,
    ...(platform !== undefined && { platform }),
    ...(distribution !== undefined && { distribution }),
    ...(isSigned !== undefined && { isSigned }),
    ...(detected !== undefined && { detected }),
  };
  const { architecture, doubt } = decideArchitecture(name, found);
  if (architecture !== undefined && platform !== undefined) return { ...facts, architecture };
  if (isTooComplex) return { ...facts, doubt: "its content is too complex to look into" };
  return {
    ...facts,
    doubt:
      platform === undefined ? "neither its name nor its content names a platform" : (doubt ?? ""),
  };
}

function decideArchitecture(name: string, found: Readonly<Findings>) {
  const named = architectureInName(name);
  const read = found.architecture && usualName(found.architecture);
  const isStub = found.isInstaller === true && read === "x86";
  if (isStub && named === undefined) {
    return {
      doubt: "a 32-bit installer may install another architecture, and its name tells none",
    };
  }
  if (read === undefined || isStub) {
    return named === undefined
      ? { doubt: "neither its name nor its content tells the architecture" }
      : { architecture: named };
  }
  return named === undefined || named === read
    ? { architecture: read }
    : { doubt: `its name says ${named}, and its content ${read}` };
}

function usualName(architecture: string): string {
  const check = checkArchitecture(architecture);
  return check.kind === "alias" ? check.usual : architecture;
}
