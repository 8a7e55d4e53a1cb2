/** Publishes one release more, with the steps of `trellis release new`, `add-artifact` and `publish`. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DraftRelease } from "../../src/contract/release/catalog.ts";
import { readCatalog } from "../../src/release/catalog/read-catalog.ts";
import { addArtifact } from "../../src/release/publishing/add-to-draft.ts";
import type { CatalogContext } from "../../src/release/publishing/change-catalog.ts";
import { createDraft } from "../../src/release/publishing/create-draft.ts";
import { publishRelease } from "../../src/release/publishing/publish-release.ts";
import type { ControlResults } from "../../src/web/demo/call-demo.ts";
import { DEMO_ARTIFACTS, describeFile, expectDone, isSigned } from "./demo-releases.ts";

/** `builds` is a folder for the artifacts. */
export async function publishNext(
  context: CatalogContext,
  builds: string,
): Promise<ControlResults["publish"]> {
  const next = await findNext(context);
  const { version } = next;
  const { result: draft } = expectDone(await createDraft(context, { ...next, channel: "stable" }));
  await writeNotes(join(context.folder, draft.file), draft.release);
  await mkdir(join(builds, version), { recursive: true });
  for (const artifact of DEMO_ARTIFACTS) {
    const { extension: _, ...target } = artifact;
    const { fileName, url } = describeFile(version, artifact);
    const path = join(builds, version, fileName);
    await writeFile(path, `${fileName}: the demo builds no program that could be installed\n`);
    const signed = isSigned(artifact);
    expectDone(await addArtifact(context, { version, path, url, signed, ...target }));
  }
  const { result } = expectDone(
    await publishRelease(context, version, undefined, async () => undefined),
  );
  return { version, sequence: result.manifest.sequence, keyId: result.keyId };
}

async function findNext({ folder, now }: CatalogContext) {
  const read = await readCatalog(folder, now());
  if (read.kind === "invalid") throw new Error("The demo's catalogue is invalid");
  const [newest] = read.catalog.releases;
  const [major = 1, minor = 0] = (newest?.version ?? "").split(".").map(Number);
  return { version: `${major}.${minor + 1}.0`, buildNumber: (newest?.buildNumber ?? 0) + 10 };
}

/** Writes the notes as a person who edits the file of a draft. */
async function writeNotes(path: string, draft: DraftRelease): Promise<void> {
  const notes = { ...draft.notes, added: ["Homework from your planner becomes habits"] };
  await writeFile(path, `${JSON.stringify({ ...draft, notes }, null, 2)}\n`);
}
