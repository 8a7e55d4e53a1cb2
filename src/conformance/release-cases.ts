/** Every case of the release contract, in the order of the report. */
import { anotherValidatorAnswers200 } from "./cases/release/another-validator-answers-200.ts";
import { betaIsServedOnlyWhenAsked } from "./cases/release/beta-is-served-only-when-asked.ts";
import { buildNumbersGrowWithPublication } from "./cases/release/build-numbers-grow-with-publication.ts";
import { channelIsStableOrBeta } from "./cases/release/channel-is-stable-or-beta.ts";
import { credentialsChangeNothing } from "./cases/release/credentials-change-nothing.ts";
import { currentAnswersAreKeptForMinutes } from "./cases/release/current-answers-are-kept-for-minutes.ts";
import { dotSegmentsAreNotResolved } from "./cases/release/dot-segments-are-not-resolved.ts";
import { downloadChecksInOrder } from "./cases/release/download-checks-in-order.ts";
import { downloadIsTheDirectArtifact } from "./cases/release/download-is-the-direct-artifact.ts";
import { downloadLeadsToEveryArtifact } from "./cases/release/download-leads-to-every-artifact.ts";
import { downloadRedirectsAreKeptForMinutes } from "./cases/release/download-redirects-are-kept-for-minutes.ts";
import { downloadRefusesUnknownArchitectures } from "./cases/release/download-refuses-unknown-architectures.ts";
import { downloadRefusesUnknownPlatforms } from "./cases/release/download-refuses-unknown-platforms.ts";
import { downloadUsesTheDefaultArchitecture } from "./cases/release/download-uses-the-default-architecture.ts";
import { downloadsAreTheArtifactsOfTheRelease } from "./cases/release/downloads-are-the-artifacts-of-the-release.ts";
import { draftsAreNeverExposed } from "./cases/release/drafts-are-never-exposed.ts";
import { emptyPageIsValid } from "./cases/release/empty-page-is-valid.ts";
import { emptySegmentsAreNotFound } from "./cases/release/empty-segments-are-not-found.ts";
import { encodedSlashesStayInTheirSegment } from "./cases/release/encoded-slashes-stay-in-their-segment.ts";
import { errorBodiesRepeatTheRequestId } from "./cases/release/error-bodies-repeat-the-request-id.ts";
import { errorsAreNeverStored } from "./cases/release/errors-are-never-stored.ts";
import { etagsAreStrongAndStable } from "./cases/release/etags-are-strong-and-stable.ts";
import { everyAnswerAllowsAnyOrigin } from "./cases/release/every-answer-allows-any-origin.ts";
import { everyAnswerCarriesARequestId } from "./cases/release/every-answer-carries-a-request-id.ts";
import { everyAnswerForbidsSniffing } from "./cases/release/every-answer-forbids-sniffing.ts";
import { extraPathSegmentsAreNotFound } from "./cases/release/extra-path-segments-are-not-found.ts";
import { headAnswersLikeGet } from "./cases/release/head-answers-like-get.ts";
import { headHasNoBody } from "./cases/release/head-has-no-body.ts";
import { healthSaysOk } from "./cases/release/health-says-ok.ts";
import { httpsAnswersCarryHsts } from "./cases/release/https-answers-carry-hsts.ts";
import { ifNoneMatchAnswers304 } from "./cases/release/if-none-match-answers-304.ts";
import { jsonAnswersNameTheirContentType } from "./cases/release/json-answers-name-their-content-type.ts";
import { latestIsNoVersion } from "./cases/release/latest-is-no-version.ts";
import { latestIsTheConcreteRelease } from "./cases/release/latest-is-the-concrete-release.ts";
import { latestIsTheFirstOfTheList } from "./cases/release/latest-is-the-first-of-the-list.ts";
import { legacyEntryKeepsTheQuery } from "./cases/release/legacy-entry-keeps-the-query.ts";
import { legacyEntryRedirectsPermanently } from "./cases/release/legacy-entry-redirects-permanently.ts";
import { listEntriesAgreeWithTheirReleases } from "./cases/release/list-entries-agree-with-their-releases.ts";
import { listHoldsOneChannel } from "./cases/release/list-holds-one-channel.ts";
import { listIsNewestBuildFirst } from "./cases/release/list-is-newest-build-first.ts";
import { listPagesAddUp } from "./cases/release/list-pages-add-up.ts";
import { listStartsWithTheFirstTwenty } from "./cases/release/list-starts-with-the-first-twenty.ts";
import { malformedHttpDoesNotStopTheServer } from "./cases/release/malformed-http-does-not-stop-the-server.ts";
import { malformedPercentEncodingInAPathIsNotFound } from "./cases/release/malformed-percent-encoding-in-a-path-is-not-found.ts";
import { malformedPercentEncodingInAQueryIsInvalid } from "./cases/release/malformed-percent-encoding-in-a-query-is-invalid.ts";
import { manifestEnvelopeIsComplete } from "./cases/release/manifest-envelope-is-complete.ts";
import { manifestIsInForce } from "./cases/release/manifest-is-in-force.ts";
import { manifestListsExactlyWhatIsPublished } from "./cases/release/manifest-lists-exactly-what-is-published.ts";
import { manifestNamesWithdrawnReleases } from "./cases/release/manifest-names-withdrawn-releases.ts";
import { manifestSignatureHolds } from "./cases/release/manifest-signature-holds.ts";
import { missingManifestIsUnavailable } from "./cases/release/missing-manifest-is-unavailable.ts";
import { nothingPublishedIsReleaseNotFound } from "./cases/release/nothing-published-is-release-not-found.ts";
import { otherMethodsAreNotFound } from "./cases/release/other-methods-are-not-found.ts";
import { overLongTargetsAre414 } from "./cases/release/over-long-targets-are-414.ts";
import { pageAndLimitAreCanonicalIntegers } from "./cases/release/page-and-limit-are-canonical-integers.ts";
import { paginationIsCheckedBeforeTheChannel } from "./cases/release/pagination-is-checked-before-the-channel.ts";
import { pathValuesAreDecodedOnce } from "./cases/release/path-values-are-decoded-once.ts";
import { pathsAreCaseSensitive } from "./cases/release/paths-are-case-sensitive.ts";
import { preflightIsAnsweredWith204 } from "./cases/release/preflight-is-answered-with-204.ts";
import { publishedReleasesAreImmutable } from "./cases/release/published-releases-are-immutable.ts";
import { redirectsLeadToTheArtifact } from "./cases/release/redirects-lead-to-the-artifact.ts";
import { releaseIsFoundInAnyChannel } from "./cases/release/release-is-found-in-any-channel.ts";
import { releasesAreCoherent } from "./cases/release/releases-are-coherent.ts";
import { repeatedQueryParametersAreInvalid } from "./cases/release/repeated-query-parameters-are-invalid.ts";
import { requestIdsAreNewForEveryRequest } from "./cases/release/request-ids-are-new-for-every-request.ts";
import { selectorAnswersAreForOneVisitor } from "./cases/release/selector-answers-are-for-one-visitor.ts";
import { selectorArchitectureIsOneSegment } from "./cases/release/selector-architecture-is-one-segment.ts";
import { selectorChannelIsKeptWhenBeta } from "./cases/release/selector-channel-is-kept-when-beta.ts";
import { selectorIgnoresEmptyAndEndlessAgents } from "./cases/release/selector-ignores-empty-and-endless-agents.ts";
import { selectorLeadsToTheDownloadRoute } from "./cases/release/selector-leads-to-the-download-route.ts";
import { selectorPlatformOverridesDetection } from "./cases/release/selector-platform-overrides-detection.ts";
import { selectorRecognisesWhatABrowserRunsOn } from "./cases/release/selector-recognises-what-a-browser-runs-on.ts";
import { selectorSendsAppleMobilesToTheWebsite } from "./cases/release/selector-sends-apple-mobiles-to-the-website.ts";
import { selectorSendsOtherDevicesToTheWebsite } from "./cases/release/selector-sends-other-devices-to-the-website.ts";
import { selectorSendsRobotsAndToolsToTheWebsite } from "./cases/release/selector-sends-robots-and-tools-to-the-website.ts";
import { selectorServesOnlyItsRoot } from "./cases/release/selector-serves-only-its-root.ts";
import { trailingSlashesAreNotFound } from "./cases/release/trailing-slashes-are-not-found.ts";
import { unknownQueryParametersAreIgnored } from "./cases/release/unknown-query-parameters-are-ignored.ts";
import { unknownRoutesAreNotFound } from "./cases/release/unknown-routes-are-not-found.ts";
import { unknownVersionsAreNotFound } from "./cases/release/unknown-versions-are-not-found.ts";
import { updateBuildIsACanonicalInteger } from "./cases/release/update-build-is-a-canonical-integer.ts";
import { updateChecksTheChannelLast } from "./cases/release/update-checks-the-channel-last.ts";
import { updateComparesBuildAndVersion } from "./cases/release/update-compares-build-and-version.ts";
import { updateEchoesTheClient } from "./cases/release/update-echoes-the-client.ts";
import { updateIsMandatoryAfterTheDeadline } from "./cases/release/update-is-mandatory-after-the-deadline.ts";
import { updateIsOptionalBeforeTheDeadline } from "./cases/release/update-is-optional-before-the-deadline.ts";
import { updateNamesTheLatestRelease } from "./cases/release/update-names-the-latest-release.ts";
import { updateNeedsPlatformVersionAndBuild } from "./cases/release/update-needs-platform-version-and-build.ts";
import { updatePointsToTheDownloadRoute } from "./cases/release/update-points-to-the-download-route.ts";
import { versionsAreComparedAsNumbers } from "./cases/release/versions-are-compared-as-numbers.ts";
import { withdrawnReleasesAreNotServed } from "./cases/release/withdrawn-releases-are-not-served.ts";
import { versionsGrowWithBuilds } from "./cases/release/versions-grow-with-builds.ts";
import type { ReleaseCase } from "./release/target.ts";

export const RELEASE_CASES: readonly ReleaseCase[] = [
  // What holds for every answer
  healthSaysOk,
  jsonAnswersNameTheirContentType,
  everyAnswerCarriesARequestId,
  requestIdsAreNewForEveryRequest,
  errorBodiesRepeatTheRequestId,
  errorsAreNeverStored,
  everyAnswerAllowsAnyOrigin,
  preflightIsAnsweredWith204,
  everyAnswerForbidsSniffing,
  httpsAnswersCarryHsts,
  credentialsChangeNothing,
  headAnswersLikeGet,
  headHasNoBody,
  otherMethodsAreNotFound,
  unknownRoutesAreNotFound,
  extraPathSegmentsAreNotFound,
  pathsAreCaseSensitive,
  trailingSlashesAreNotFound,
  emptySegmentsAreNotFound,
  dotSegmentsAreNotResolved,
  encodedSlashesStayInTheirSegment,
  malformedPercentEncodingInAPathIsNotFound,
  pathValuesAreDecodedOnce,
  overLongTargetsAre414,
  repeatedQueryParametersAreInvalid,
  malformedPercentEncodingInAQueryIsInvalid,
  unknownQueryParametersAreIgnored,
  channelIsStableOrBeta,
  malformedHttpDoesNotStopTheServer,
  // Caches and validators
  currentAnswersAreKeptForMinutes,
  publishedReleasesAreImmutable,
  etagsAreStrongAndStable,
  ifNoneMatchAnswers304,
  anotherValidatorAnswers200,
  // The signed manifest
  manifestEnvelopeIsComplete,
  manifestSignatureHolds,
  manifestIsInForce,
  manifestListsExactlyWhatIsPublished,
  manifestNamesWithdrawnReleases,
  missingManifestIsUnavailable,
  // The list
  listIsNewestBuildFirst,
  listHoldsOneChannel,
  listStartsWithTheFirstTwenty,
  listPagesAddUp,
  emptyPageIsValid,
  pageAndLimitAreCanonicalIntegers,
  paginationIsCheckedBeforeTheChannel,
  listEntriesAgreeWithTheirReleases,
  buildNumbersGrowWithPublication,
  versionsGrowWithBuilds,
  // Releases
  latestIsTheFirstOfTheList,
  latestIsTheConcreteRelease,
  latestIsNoVersion,
  betaIsServedOnlyWhenAsked,
  nothingPublishedIsReleaseNotFound,
  releaseIsFoundInAnyChannel,
  releasesAreCoherent,
  unknownVersionsAreNotFound,
  downloadsAreTheArtifactsOfTheRelease,
  draftsAreNeverExposed,
  withdrawnReleasesAreNotServed,
  // Update decisions
  updateNamesTheLatestRelease,
  updateEchoesTheClient,
  updateComparesBuildAndVersion,
  versionsAreComparedAsNumbers,
  updatePointsToTheDownloadRoute,
  updateIsMandatoryAfterTheDeadline,
  updateIsOptionalBeforeTheDeadline,
  updateNeedsPlatformVersionAndBuild,
  updateBuildIsACanonicalInteger,
  updateChecksTheChannelLast,
  // Downloads
  downloadUsesTheDefaultArchitecture,
  downloadLeadsToEveryArtifact,
  downloadIsTheDirectArtifact,
  downloadRefusesUnknownPlatforms,
  downloadRefusesUnknownArchitectures,
  downloadChecksInOrder,
  downloadRedirectsAreKeptForMinutes,
  // The legacy entry point
  legacyEntryRedirectsPermanently,
  legacyEntryKeepsTheQuery,
  // The selector
  selectorLeadsToTheDownloadRoute,
  selectorChannelIsKeptWhenBeta,
  selectorPlatformOverridesDetection,
  selectorArchitectureIsOneSegment,
  selectorRecognisesWhatABrowserRunsOn,
  selectorSendsAppleMobilesToTheWebsite,
  selectorSendsRobotsAndToolsToTheWebsite,
  selectorSendsOtherDevicesToTheWebsite,
  selectorIgnoresEmptyAndEndlessAgents,
  selectorAnswersAreForOneVisitor,
  selectorServesOnlyItsRoot,
  redirectsLeadToTheArtifact,
];
