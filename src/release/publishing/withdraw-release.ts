/** Withdraws a release. The catalogue keeps it, and the manifest says why. */
import type { PublishedSource, WithdrawnSource } from "../../contract/release/catalog.ts";
import { isPublished, latestOf, type Catalog } from "../../rules/release/catalog.ts";
import { MANIFEST_FILE, releaseFile } from "../../rules/release/catalog-files.ts";
import {
  changeCatalog,
  errorsWith,
  findRelease,
  formatJson,
  publishingError,
  unknownReleaseError,
  withRelease,
  type CatalogState,
  type ChangeResult,
  type Decision,
  type PublishingError,
  type CatalogContext,
} from "./change-catalog.ts";
import type { PassphraseSource, SigningKey } from "./key-files.ts";
import {
  checkStillActive,
  openSigningKey,
  lostManifestError,
  signManifest,
  type SignedManifest,
} from "./sign-manifest.ts";

export interface WithdrawalResult {
  readonly release: WithdrawnSource;
  /** The release that the channel offers from now on. */
  readonly latest: PublishedSource;
  readonly manifest: Omit<SignedManifest, "envelope">;
}

export interface WithdrawalRequest {
  readonly version: string;
  readonly reason: string;
  readonly replacedBy?: string | undefined;
}

export async function withdrawRelease(
  context: CatalogContext,
  request: WithdrawalRequest,
  askPassphrase: PassphraseSource,
): Promise<ChangeResult<WithdrawalResult>> {
  if (request.reason.trim() === "")
    return publishingError("The reason is empty: say why, people read it");
  const key = await openSigningKey(context, askPassphrase);
  if (key.kind === "refused") return key;
  return changeCatalog(context, (state) => decideWithdrawal(state, request, key));
}

function decideWithdrawal(
  { catalog, manifest, now }: CatalogState,
  request: WithdrawalRequest,
  key: SigningKey,
): Decision<WithdrawalResult> {
  const release = findRelease(catalog, request.version);
  if (release === undefined) return unknownReleaseError(request.version);
  if (!isPublished(release)) {
    return publishingError(
      release.status === "draft"
        ? `Release ${release.version} is a draft and was never published: delete ${releaseFile(release.version)} to drop it`
        : `Release ${release.version} is already withdrawn`,
    );
  }
  const others = catalog.releases.filter(isPublished).filter((other) => other !== release);
  const latest = latestOf(others, release.channel);
  const error =
    checkStillActive(key, catalog) ??
    checkSuccessor(catalog, release, latest, others, request.replacedBy) ??
    (manifest === null ? lostManifestError() : null);
  if (error !== null || latest === undefined) return error ?? onlyReleaseError(release);
  const withdrawn: WithdrawnSource = {
    ...release,
    status: "withdrawn",
    withdrawal: {
      at: new Date(now).toISOString(),
      reason: request.reason,
      ...(request.replacedBy !== undefined && { replacedBy: request.replacedBy }),
    },
  };
  const errors = errorsWith(catalog, withdrawn);
  if (errors.length > 0)
    return publishingError(`Release ${release.version} cannot be withdrawn`, errors);
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

function onlyReleaseError({ version, channel }: PublishedSource): PublishingError {
  return publishingError(
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
  if (latest === undefined) return onlyReleaseError(release);
  const isNewest = latestOf(catalog.releases.filter(isPublished), release.channel) === release;
  if (replacedBy === undefined) {
    return isNewest
      ? publishingError(
          `Release ${release.version} is the newest of the channel "${release.channel}": say what takes its place with --replaced-by ${latest.version}, or publish a fixed version first`,
        )
      : null;
  }
  const successor = others.find((other) => other.version === replacedBy);
  if (successor === undefined) {
    return publishingError(`--replaced-by ${replacedBy} is no other published release`);
  }
  if (isNewest && successor.channel !== release.channel) {
    return publishingError(
      `--replaced-by ${replacedBy} is of the channel "${successor.channel}": name a release of "${release.channel}" such as ${latest.version}`,
    );
  }
  return null;
}
