/** Adds the files of a whole build to a draft, in one change. */
import type { CatalogFile, DraftRelease } from "../../contract/release/catalog.ts";
import { enterArtifact, prepareNewArtifact, type AddedArtifact } from "./add-to-draft.ts";
import type { CatalogContext, PublishingError } from "./change-catalog.ts";
import type { EditedDraft } from "./change-draft.ts";
import type { HashProgress } from "./hash-file.ts";
import type { PassphraseSource } from "./key-files.ts";
import type { Artifact, NewArtifact, PreparedArtifact } from "./prepare-artifact.ts";

export interface PreparedFiles {
  readonly kind: "prepared";
  readonly files: readonly PreparedArtifact[];
}

/** Reads every file once. Nothing is changed, so that a person can see first what would be. */
export async function prepareFiles(
  context: CatalogContext,
  settings: CatalogFile,
  draft: DraftRelease,
  requests: readonly NewArtifact[],
  askPassphrase: PassphraseSource,
  onProgress?: HashProgress,
): Promise<PreparedFiles | PublishingError> {
  const askOnce = rememberPassphrases(askPassphrase);
  const files: PreparedArtifact[] = [];
  for (const request of requests) {
    const prepared = await prepareNewArtifact(
      context,
      settings,
      draft,
      request,
      askOnce,
      onProgress,
    );
    if (prepared.kind === "refused") return prepared;
    files.push(prepared);
  }
  return { kind: "prepared", files };
}

/** Several files are signed with one key. */
function rememberPassphrases(ask: PassphraseSource): PassphraseSource {
  const asked = new Map<string, ReturnType<PassphraseSource>>();
  return (keyId) => {
    const known = asked.get(keyId) ?? ask(keyId);
    asked.set(keyId, known);
    return known;
  };
}

export function enterFiles(
  draft: DraftRelease,
  files: readonly PreparedArtifact[],
): EditedDraft<readonly AddedArtifact[]> | PublishingError {
  let next = draft;
  const result: AddedArtifact[] = [];
  for (const file of files) {
    const entered = enterArtifact(next, { ...file, artifact: keepMembers(draft, file.artifact) });
    if ("kind" in entered) return entered;
    next = entered.draft;
    result.push(entered.result);
  }
  return { draft: next, result };
}

/** What a person entered about the same bytes stays: a folder does not tell it. */
function keepMembers({ artifacts }: DraftRelease, artifact: Artifact): Artifact {
  const { platform, architecture, fileName, sha256 } = artifact;
  const same = artifacts.find(
    (item) =>
      item.platform === platform &&
      item.architecture === architecture &&
      item.fileName === fileName &&
      item.sha256 === sha256,
  );
  if (same === undefined) return artifact;
  const signatures = { ...same.signatures, ...artifact.signatures };
  return {
    ...same,
    ...artifact,
    signed: same.signed || artifact.signed,
    ...(Object.keys(signatures).length > 0 && { signatures }),
  };
}
