/** What git did, or may do, to the signed files of a catalogue: a signature is of exact bytes. */
import { realpathSync } from "node:fs";
import { basename, relative, sep } from "node:path";
import { MANIFEST_FILE, SIGNED_FILES } from "../../rules/release/catalog-files.ts";
import { sequenceOfEnvelope } from "../catalog/merge-conflict.ts";
import type { LoadedManifest } from "../catalog/opened-catalog.ts";
import { findRepository, runGit, splitAtZeros } from "./run-git.ts";

/** Git neither merges the manifest and its archive nor changes their line ends. */
const ATTRIBUTES = SIGNED_FILES.map((file) => `${file} -merge -text`);

export const GIT_ATTRIBUTES = `# After a merge take all of these from the side that was signed last, then run \`trellis release sign\`.\n${ATTRIBUTES.map((line) => `${line}\n`).join("")}`;

export async function warnOfMerges(
  folder: string,
  manifest: LoadedManifest | null,
): Promise<string[]> {
  const repository = findRepository(folder);
  if (repository === null || manifest === null) return [];
  const place = relative(repository, realpathSync(folder)).replaceAll(sep, "/");
  const pathOf = (file: string) => (place === "" ? file : `${place}/${file}`);
  const ask = async (...words: string[]) => {
    try {
      return await runGit(repository, words);
    } catch {
      // Without git nothing is merged here, and an unborn branch has no merges.
      return "";
    }
  };
  return [
    ...(await warnOfAttributes(ask, pathOf)),
    ...(await warnOfSide(ask, pathOf, manifest.payload.sequence)),
  ];
}

type Ask = (...words: string[]) => Promise<string>;
type PathOf = (file: string) => string;

async function warnOfAttributes(ask: Ask, pathOf: PathOf): Promise<string[]> {
  const paths = SIGNED_FILES.map(pathOf);
  // The path, the attribute and its value, for each.
  const values = splitAtZeros(await ask("check-attr", "-z", "merge", "text", "--", ...paths));
  if (values.filter((_, index) => index % 3 === 2).every((value) => value === "unset")) return [];
  return [
    `git may merge the signed files as text or change their line ends, which breaks what was signed: write these lines into .gitattributes in the folder of the catalogue: ${ATTRIBUTES.join(", ")}`,
  ];
}

/** Clients that saw the later manifest of the other side refuse this one, and those that follow up to it. */
async function warnOfSide(ask: Ask, pathOf: PathOf, sequence: number): Promise<string[]> {
  for (const side of await listSides(ask)) {
    const other = sequenceOfEnvelope(
      await ask("cat-file", "blob", `${side}:${pathOf(MANIFEST_FILE)}`),
    );
    if (other <= sequence) continue;
    const listed = await ask("ls-tree", "-z", "--name-only", side, ...SIGNED_FILES.map(pathOf));
    const files = splitAtZeros(listed).map((path) => basename(path));
    return [
      `${MANIFEST_FILE} has sequence ${sequence}, and the side of the merge that was not taken has ${other}, so clients that saw that one refuse this: in the folder of the catalogue run \`git checkout ${side} -- ${files.join(" ")}\`, and then \`trellis release sign\``,
    ];
  }
  return [];
}

/** Of the merge that is not finished, or of the last one. */
async function listSides(ask: Ask): Promise<string[]> {
  const isMerging = (await ask("rev-parse", "--verify", "--quiet", "MERGE_HEAD")) !== "";
  if (isMerging) return ["MERGE_HEAD", "HEAD"];
  const merge = await ask("rev-list", "--merges", "--parents", "--max-count=1", "HEAD");
  return merge.trim().split(" ").slice(1);
}
