/** Takes a release back. History keeps it, and the manifest says why. */
import type { PublishedSource, WithdrawnSource } from "../../contract/release/catalog.ts";
import { isPublished, latestOf, type Catalog } from "../../rules/release/catalog.ts";
import { MANIFEST_FILE, releaseFile } from "../../rules/release/catalog-files.ts";
import {
  changeCatalog,
  formatJson,
  refuse,
  type CatalogState,
  type Change,
  type Decision,
  type PublishingError,
  type CatalogContext,
} from "./change-catalog.ts";
import { faultsWith, findRelease, refuseUnknown, withRelease } from "./change-draft.ts";
import type { PassphraseSource } from "./keys.ts";
import { checkStillActive, openSigningKey } from "./open-signing-key.ts";
import { refuseLostManifest } from "./publish-release.ts";
import { signManifest, type SignedManifest, type SigningKey } from "./sign-manifest.ts";

export interface WithdrawnRelease {
  readonly release: WithdrawnSource;
  /** What the channel offers from now on. */
  readonly latest: PublishedSource;
  readonly manifest: Omit<SignedManifest, "envelope">;
}

export interface WithdrawalRequest {
  readonly version: string;
  readonly reason: string;
  readonly replacedBy?: string | undefined;
}

export async function withdrawRelease(
  bench: CatalogContext,
  request: WithdrawalRequest,
  askPassphrase: PassphraseSource,
): Promise<Change<WithdrawnRelease>> {
  if (request.reason.trim() === "") return refuse("The reason is empty: say why, people read it");
  const key = await openSigningKey(bench, askPassphrase);
  if (key.kind === "refused") return key;
  return changeCatalog(bench, (state) => decideWithdrawal(state, request, key));
}

function decideWithdrawal(
  { catalog, manifest, now }: CatalogState,
  request: WithdrawalRequest,
  key: SigningKey,
): Decision<WithdrawnRelease> {
  const release = findRelease(catalog, request.version);
  if (release === undefined) return refuseUnknown(request.version);
  if (!isPublished(release)) {
    return refuse(
      release.status === "draft"
        ? `Release ${release.version} is a draft that nobody has seen: delete ${releaseFile(release.version)} to drop it`
        : `Release ${release.version} is already withdrawn`,
    );
  }
  const others = catalog.releases.filter(isPublished).filter((other) => other !== release);
  const latest = latestOf(others, release.channel);
  const refusal =
    checkStillActive(key, catalog) ??
    checkSuccessor(catalog, release, latest, others, request.replacedBy) ??
    (manifest === null ? refuseLostManifest() : null);
  if (refusal !== null || latest === undefined) return refusal ?? refuseOnly(release);
  const withdrawn: WithdrawnSource = {
    ...release,
    status: "withdrawn",
    withdrawal: {
      at: new Date(now).toISOString(),
      reason: request.reason,
      ...(request.replacedBy !== undefined && { replacedBy: request.replacedBy }),
    },
  };
  const faults = faultsWith(catalog, withdrawn);
  if (faults.length > 0) return refuse(`Release ${release.version} cannot be withdrawn`, faults);
  const { envelope, ...signed } = signManifest(withRelease(catalog, withdrawn), manifest, key, now);
  return {
    kind: "change",
    changes: [
      { file: releaseFile(release.version), content: formatJson(withdrawn) },
      { file: MANIFEST_FILE, content: envelope },
    ],
    result: { release: withdrawn, latest, manifest: signed },
  };
}

function refuseOnly({ version, channel }: PublishedSource): PublishingError {
  return refuse(
    `Release ${version} is the only published one of the channel "${channel}": publish a fixed version first, then withdraw it`,
  );
}

function checkSuccessor(
  catalog: Catalog,
  release: PublishedSource,
  latest: PublishedSource | undefined,
  others: readonly PublishedSource[],
  replacedBy: string | undefined,
): PublishingError | null {
  if (latest === undefined) return refuseOnly(release);
  const isNewest = latestOf(catalog.releases.filter(isPublished), release.channel) === release;
  if (replacedBy === undefined) {
    return isNewest
      ? refuse(
          `Release ${release.version} is the newest of the channel "${release.channel}": say what takes its place with --replaced-by ${latest.version}, or publish a fixed version first`,
        )
      : null;
  }
  const successor = others.find((other) => other.version === replacedBy);
  if (successor === undefined) {
    return refuse(`--replaced-by ${replacedBy} is no other published release`);
  }
  if (isNewest && successor.channel !== release.channel) {
    return refuse(
      `--replaced-by ${replacedBy} is of the channel "${successor.channel}": name a release of "${release.channel}" such as ${latest.version}`,
    );
  }
  return null;
}
