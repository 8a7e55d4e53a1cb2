/** The generated types equal those that TypeBox infers from the schemas; checked by the compiler. */
import { test } from "node:test";
import type { Static, TSchema } from "typebox";
import * as release from "./release/schemas.ts";
import * as catalog from "./release/catalog.ts";
import * as site from "./release/site.ts";
import * as events from "./events/schemas.ts";
import * as sync from "./sync/schemas.ts";
import * as operation from "./sync/operation.ts";

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

function expectType<Generated>() {
  return <S extends TSchema>(_schema: S, _equal: Equal<Static<S>, Generated>) => {};
}

test("the generated types are those of the schemas", () => {
  expectType<release.Health>()(release.Health, true);
  expectType<release.ErrorResponse>()(release.ErrorResponse, true);
  expectType<release.ReleaseSummary>()(release.ReleaseSummary, true);
  expectType<release.ReleaseList>()(release.ReleaseList, true);
  expectType<release.ReleaseNotes>()(release.ReleaseNotes, true);
  expectType<release.ReleaseHighlight>()(release.ReleaseHighlight, true);
  expectType<release.LocalizedReleasePresentation>()(release.LocalizedReleasePresentation, true);
  expectType<release.ReleasePresentation>()(release.ReleasePresentation, true);
  expectType<release.ReleaseMedia>()(release.ReleaseMedia, true);
  expectType<release.ReleaseArtifact>()(release.ReleaseArtifact, true);
  expectType<release.Release>()(release.Release, true);
  expectType<release.ReleaseDownloads>()(release.ReleaseDownloads, true);
  expectType<release.SignedManifestEnvelope>()(release.SignedManifestEnvelope, true);
  expectType<release.UpdateCoordinate>()(release.UpdateCoordinate, true);
  expectType<release.UpdateDecision>()(release.UpdateDecision, true);
  expectType<release.WithdrawnRelease>()(release.WithdrawnRelease, true);
  expectType<release.Rollout>()(release.Rollout, true);
  expectType<release.ManifestPayload>()(release.ManifestPayload, true);
  expectType<catalog.CatalogTarget>()(catalog.CatalogTarget, true);
  expectType<catalog.CatalogFile>()(catalog.CatalogFile, true);
  expectType<catalog.KeyRing>()(catalog.KeyRing, true);
  expectType<catalog.DraftRelease>()(catalog.DraftRelease, true);
  expectType<catalog.PublishedSource>()(catalog.PublishedSource, true);
  expectType<catalog.WithdrawnSource>()(catalog.WithdrawnSource, true);
  expectType<catalog.SourceRelease>()(catalog.SourceRelease, true);
  expectType<site.SiteFile>()(site.SiteFile, true);
  expectType<events.EventsError>()(events.EventsError, true);
  expectType<events.EventsHealth>()(events.EventsHealth, true);
  expectType<events.ServerMetadata>()(events.ServerMetadata, true);
  expectType<events.EventsTokenResponse>()(events.EventsTokenResponse, true);
  expectType<events.WireEvent>()(events.WireEvent, true);
  expectType<events.DeletedEvent>()(events.DeletedEvent, true);
  expectType<events.EventList>()(events.EventList, true);
  expectType<events.ChangePasswordBody>()(events.ChangePasswordBody, true);
  expectType<events.ChangePasswordComplete>()(events.ChangePasswordComplete, true);
  expectType<sync.SyncError>()(sync.SyncError, true);
  expectType<sync.Attempt>()(sync.Attempt, true);
  expectType<sync.AuthorizeBody>()(sync.AuthorizeBody, true);
  expectType<sync.AuthorizeComplete>()(sync.AuthorizeComplete, true);
  expectType<sync.ChallengeResponse>()(sync.ChallengeResponse, true);
  expectType<sync.CompletedResponse>()(sync.CompletedResponse, true);
  expectType<sync.TokenBody>()(sync.TokenBody, true);
  expectType<sync.TokenResponse>()(sync.TokenResponse, true);
  expectType<sync.RefreshBody>()(sync.RefreshBody, true);
  expectType<sync.RevokeBody>()(sync.RevokeBody, true);
  expectType<sync.Receipt>()(sync.Receipt, true);
  expectType<sync.Device>()(sync.Device, true);
  expectType<operation.Revision>()(operation.Revision, true);
  expectType<operation.OperationDocument>()(operation.OperationDocument, true);
  expectType<operation.Operation>()(operation.Operation, true);
  expectType<operation.SnapshotEntity>()(operation.SnapshotEntity, true);
});
