/** Every requirement of the sync contract that can be seen over HTTP, one file each. */
import { actionsNeedTheCsrfHeader } from "./cases/sync/actions-need-the-csrf-header.ts";
import { anyOrderGivesTheSameState } from "./cases/sync/any-order-gives-the-same-state.ts";
import { attemptsAreChecked } from "./cases/sync/attempts-are-checked.ts";
import { authorizeAcceptsTheWholeGrammar } from "./cases/sync/authorize-accepts-the-whole-grammar.ts";
import { authorizeErrorsAreForPeopleToo } from "./cases/sync/authorize-errors-are-for-people-too.ts";
import { authorizeNeedsItsParameters } from "./cases/sync/authorize-needs-its-parameters.ts";
import { authorizeParametersAreChecked } from "./cases/sync/authorize-parameters-are-checked.ts";
import { authorizeTakesNoOtherParameters } from "./cases/sync/authorize-takes-no-other-parameters.ts";
import { authorizeValuesCannotBreakOutOfThePage } from "./cases/sync/authorize-values-cannot-break-out-of-the-page.ts";
import { badInputIsNeverAServerError } from "./cases/sync/bad-input-is-never-a-server-error.ts";
import { beginAnswersAChallenge } from "./cases/sync/begin-answers-a-challenge.ts";
import { bodiesMustBeJson } from "./cases/sync/bodies-must-be-json.ts";
import { bodiesMustBeObjects } from "./cases/sync/bodies-must-be-objects.ts";
import { bodiesOverTheLimitAre413 } from "./cases/sync/bodies-over-the-limit-are-413.ts";
import { capabilitiesNameWhatTheInstanceCanDo } from "./cases/sync/capabilities-name-what-the-instance-can-do.ts";
import { challengesAreNewEveryTime } from "./cases/sync/challenges-are-new-every-time.ts";
import { challengesWorkOnce } from "./cases/sync/challenges-work-once.ts";
import { changedFieldsAreNamed } from "./cases/sync/changed-fields-are-named.ts";
import { changedTellsWhetherARegisterMoved } from "./cases/sync/changed-tells-whether-a-register-moved.ts";
import { checksRunInOrder } from "./cases/sync/checks-run-in-order.ts";
import { codeRedeemsForTokens } from "./cases/sync/code-redeems-for-tokens.ts";
import { codeWorksOnce } from "./cases/sync/code-works-once.ts";
import { completeNeedsTheStateOfItsChallenge } from "./cases/sync/complete-needs-the-state-of-its-challenge.ts";
import { configuredOriginsAreLetIn } from "./cases/sync/configured-origins-are-let-in.ts";
import { conflictsStoreNothing } from "./cases/sync/conflicts-store-nothing.ts";
import { corsIsNeverAWildcard } from "./cases/sync/cors-is-never-a-wildcard.ts";
import { createMakesEveryFieldVisible } from "./cases/sync/create-makes-every-field-visible.ts";
import { crossSiteRequestsAreRefused } from "./cases/sync/cross-site-requests-are-refused.ts";
import { cursorsAheadStartAnew } from "./cases/sync/cursors-ahead-start-anew.ts";
import { cursorsOfAnotherGenerationStartAnew } from "./cases/sync/cursors-of-another-generation-start-anew.ts";
import { deleteDeviceRevokesIt } from "./cases/sync/delete-device-revokes-it.ts";
import { deleteLeavesATombstone } from "./cases/sync/delete-leaves-a-tombstone.ts";
import { deviceDescribesItself } from "./cases/sync/device-describes-itself.ts";
import { encodedBodiesAreRefused } from "./cases/sync/encoded-bodies-are-refused.ts";
import { entityIdsAreCanonical } from "./cases/sync/entity-ids-are-canonical.ts";
import { entriesAreChecked } from "./cases/sync/entries-are-checked.ts";
import { errorBodiesRepeatTheRequestId } from "./cases/sync/error-bodies-repeat-the-request-id.ts";
import { errorsNeverRepeatTheContent } from "./cases/sync/errors-never-repeat-the-content.ts";
import { everyAnswerCarriesARequestId } from "./cases/sync/every-answer-carries-a-request-id.ts";
import { everyAnswerDeniesFraming } from "./cases/sync/every-answer-denies-framing.ts";
import { everyAnswerDisablesBrowserCapabilities } from "./cases/sync/every-answer-disables-browser-capabilities.ts";
import { everyAnswerForbidsSniffing } from "./cases/sync/every-answer-forbids-sniffing.ts";
import { everyAnswerIsNeverStored } from "./cases/sync/every-answer-is-never-stored.ts";
import { everyAnswerIsolatesItsResources } from "./cases/sync/every-answer-isolates-its-resources.ts";
import { everyAnswerSendsNoReferrer } from "./cases/sync/every-answer-sends-no-referrer.ts";
import { everyAnswerSetsNoCookie } from "./cases/sync/every-answer-sets-no-cookie.ts";
import { failuresAreThrottled } from "./cases/sync/failures-are-throttled.ts";
import { fieldsFromBeforeACreateAreHidden } from "./cases/sync/fields-from-before-a-create-are-hidden.ts";
import { foreignOriginsAreDenied } from "./cases/sync/foreign-origins-are-denied.ts";
import { foreignOriginsChangeNothing } from "./cases/sync/foreign-origins-change-nothing.ts";
import { grantTypesAreChecked } from "./cases/sync/grant-types-are-checked.ts";
import { greaterRevisionsWin } from "./cases/sync/greater-revisions-win.ts";
import { habitsAreChecked } from "./cases/sync/habits-are-checked.ts";
import { headAnswersLikeGet } from "./cases/sync/head-answers-like-get.ts";
import { headHasNoBody } from "./cases/sync/head-has-no-body.ts";
import { healthSaysOk } from "./cases/sync/health-says-ok.ts";
import { httpsAnswersCarryHsts } from "./cases/sync/https-answers-carry-hsts.ts";
import { instanceInfoNamesTheInstance } from "./cases/sync/instance-info-names-the-instance.ts";
import { jsonMayNameItsCharset } from "./cases/sync/json-may-name-its-charset.ts";
import { laterUseOfACodeRevokesItsSession } from "./cases/sync/later-use-of-a-code-revokes-its-session.ts";
import { loginPageHasExactlyItsPolicy } from "./cases/sync/login-page-has-exactly-its-policy.ts";
import { loginPageLoadsNothingFromElsewhere } from "./cases/sync/login-page-loads-nothing-from-elsewhere.ts";
import { loginPageNonceDiffersPerResponse } from "./cases/sync/login-page-nonce-differs-per-response.ts";
import { loginPageShowsWhereYouAre } from "./cases/sync/login-page-shows-where-you-are.ts";
import { loginPageSpeaksGermanAndEnglish } from "./cases/sync/login-page-speaks-german-and-english.ts";
import { malformedCursorsAreRefused } from "./cases/sync/malformed-cursors-are-refused.ts";
import { malformedHttpDoesNotStopTheServer } from "./cases/sync/malformed-http-does-not-stop-the-server.ts";
import { malformedOperationsStoreNothing } from "./cases/sync/malformed-operations-store-nothing.ts";
import { malformedPercentEncodingIsInvalid } from "./cases/sync/malformed-percent-encoding-is-invalid.ts";
import { malformedProofsConsumeTheChallenge } from "./cases/sync/malformed-proofs-consume-the-challenge.ts";
import { memberNamesAreGivenOnce } from "./cases/sync/member-names-are-given-once.ts";
import { membersAreChecked } from "./cases/sync/members-are-checked.ts";
import { messagesAreBounded } from "./cases/sync/messages-are-bounded.ts";
import { messagesNameEveryBadIndex } from "./cases/sync/messages-name-every-bad-index.ts";
import { mistypedCompletionsConsumeNothing } from "./cases/sync/mistyped-completions-consume-nothing.ts";
import { mistypedRedemptionsBurnNothing } from "./cases/sync/mistyped-redemptions-burn-nothing.ts";
import { numbersInQueriesAreCanonical } from "./cases/sync/numbers-in-queries-are-canonical.ts";
import { oneSessionPerDeviceId } from "./cases/sync/one-session-per-device-id.ts";
import { operationIdsMatchTheirRevision } from "./cases/sync/operation-ids-match-their-revision.ts";
import { operationMembersAreExact } from "./cases/sync/operation-members-are-exact.ts";
import { operationsHaveBounds } from "./cases/sync/operations-have-bounds.ts";
import { operationsOfOtherDevicesAreAccepted } from "./cases/sync/operations-of-other-devices-are-accepted.ts";
import { otherMethodsAre405 } from "./cases/sync/other-methods-are-405.ts";
import { overLongTargetsAre414 } from "./cases/sync/over-long-targets-are-414.ts";
import { ownOriginPasses } from "./cases/sync/own-origin-passes.ts";
import { parallelRedemptionHasOneWinner } from "./cases/sync/parallel-redemption-has-one-winner.ts";
import { patchChangesOnlyWhatItNames } from "./cases/sync/patch-changes-only-what-it-names.ts";
import { patchesWaitForTheirCreate } from "./cases/sync/patches-wait-for-their-create.ts";
import { pathsAreDecodedOnce } from "./cases/sync/paths-are-decoded-once.ts";
import { pathsAreExact } from "./cases/sync/paths-are-exact.ts";
import { preflightAllowsNothingElse } from "./cases/sync/preflight-allows-nothing-else.ts";
import { preflightAllowsWhatIsDocumented } from "./cases/sync/preflight-allows-what-is-documented.ts";
import { preflightOfForeignOriginsIsDenied } from "./cases/sync/preflight-of-foreign-origins-is-denied.ts";
import { proofsAreBoundToTheirAttempt } from "./cases/sync/proofs-are-bound-to-their-attempt.ts";
import { protectedRoutesNeedAToken } from "./cases/sync/protected-routes-need-a-token.ts";
import { publicRoutesNeedNoToken } from "./cases/sync/public-routes-need-no-token.ts";
import { pullAnswersExactlyItsMembers } from "./cases/sync/pull-answers-exactly-its-members.ts";
import { pullBeginsAtTheBeginning } from "./cases/sync/pull-begins-at-the-beginning.ts";
import { pullHasADefaultLimit } from "./cases/sync/pull-has-a-default-limit.ts";
import { pullPagesReachTheHead } from "./cases/sync/pull-pages-reach-the-head.ts";
import { pushAnswersAReceiptForEach } from "./cases/sync/push-answers-a-receipt-for-each.ts";
import { pushTakesOneToTheLimit } from "./cases/sync/push-takes-one-to-the-limit.ts";
import { pushedOperationsComeBackUnchanged } from "./cases/sync/pushed-operations-come-back-unchanged.ts";
import { receiptsFollowTheOperations } from "./cases/sync/receipts-follow-the-operations.ts";
import { refreshReplayRevokesTheDevice } from "./cases/sync/refresh-replay-revokes-the-device.ts";
import { refreshRetryGetsTheSameSuccessor } from "./cases/sync/refresh-retry-gets-the-same-successor.ts";
import { refreshRotates } from "./cases/sync/refresh-rotates.ts";
import { repeatedQueryParametersAreInvalid } from "./cases/sync/repeated-query-parameters-are-invalid.ts";
import { replaysAreDuplicates } from "./cases/sync/replays-are-duplicates.ts";
import { requestIdsAreNewForEveryRequest } from "./cases/sync/request-ids-are-new-for-every-request.ts";
import { restoreBringsAnEntityBack } from "./cases/sync/restore-brings-an-entity-back.ts";
import { reusedIdsAreConflicts } from "./cases/sync/reused-ids-are-conflicts.ts";
import { revisionsAreChecked } from "./cases/sync/revisions-are-checked.ts";
import { revocationEndsEveryAccessToken } from "./cases/sync/revocation-ends-every-access-token.ts";
import { revokeAllEndsEveryDevice } from "./cases/sync/revoke-all-ends-every-device.ts";
import { revokeEndsThisDevice } from "./cases/sync/revoke-ends-this-device.ts";
import { revokeTakesDeviceOrAll } from "./cases/sync/revoke-takes-device-or-all.ts";
import { rightProofAnswersACode } from "./cases/sync/right-proof-answers-a-code.ts";
import { safeRequestIdsAreKept } from "./cases/sync/safe-request-ids-are-kept.ts";
import { secretsAreRefused } from "./cases/sync/secrets-are-refused.ts";
import { serverSignatureProvesTheServer } from "./cases/sync/server-signature-proves-the-server.ts";
import { settingsAreChecked } from "./cases/sync/settings-are-checked.ts";
import { snapshotCursorContinuesTheLog } from "./cases/sync/snapshot-cursor-continues-the-log.ts";
import { snapshotHasExactlyItsMembers } from "./cases/sync/snapshot-has-exactly-its-members.ts";
import { staleCreatesDoNotRevive } from "./cases/sync/stale-creates-do-not-revive.ts";
import { tokensAreNotTakenFromTheQuery } from "./cases/sync/tokens-are-not-taken-from-the-query.ts";
import { tokensHaveTheirForm } from "./cases/sync/tokens-have-their-form.ts";
import { tombstonesHaveNoPayload } from "./cases/sync/tombstones-have-no-payload.ts";
import { unknownCodesAreInvalidGrant } from "./cases/sync/unknown-codes-are-invalid-grant.ts";
import { unknownMembersAreRefused } from "./cases/sync/unknown-members-are-refused.ts";
import { unknownQueryParametersAreRefused } from "./cases/sync/unknown-query-parameters-are-refused.ts";
import { unknownRoutesAreNotFound } from "./cases/sync/unknown-routes-are-not-found.ts";
import { unknownUsersFailLikeKnownOnes } from "./cases/sync/unknown-users-fail-like-known-ones.ts";
import { unknownUsersLookLikeKnownOnes } from "./cases/sync/unknown-users-look-like-known-ones.ts";
import { unparsableBodiesAreInvalidJson } from "./cases/sync/unparsable-bodies-are-invalid-json.ts";
import { unsafeRequestIdsAreReplaced } from "./cases/sync/unsafe-request-ids-are-replaced.ts";
import { usernamesAreComparedAfterNfc } from "./cases/sync/usernames-are-compared-after-nfc.ts";
import { validOperationsAreAccepted } from "./cases/sync/valid-operations-are-accepted.ts";
import { wrongProofsAreAllAlike } from "./cases/sync/wrong-proofs-are-all-alike.ts";
import { wrongProofsConsumeTheChallenge } from "./cases/sync/wrong-proofs-consume-the-challenge.ts";
import { wrongRedemptionsBurnTheCode } from "./cases/sync/wrong-redemptions-burn-the-code.ts";
import { wrongRefreshTokensRevokeNothing } from "./cases/sync/wrong-refresh-tokens-revoke-nothing.ts";
import type { SyncCase } from "./sync/target.ts";

/** They end what the others need, so they run alone and after them: sessions, then sign-in itself. */
export const LAST_SYNC_CASES = [revokeAllEndsEveryDevice, failuresAreThrottled] as const;

/** In the order of the report. */
export const SYNC_CASES: readonly SyncCase[] = [
  // Public routes
  healthSaysOk,
  capabilitiesNameWhatTheInstanceCanDo,
  instanceInfoNamesTheInstance,
  publicRoutesNeedNoToken,
  // Every answer
  everyAnswerIsNeverStored,
  everyAnswerDeniesFraming,
  everyAnswerForbidsSniffing,
  everyAnswerSendsNoReferrer,
  everyAnswerIsolatesItsResources,
  everyAnswerDisablesBrowserCapabilities,
  everyAnswerSetsNoCookie,
  httpsAnswersCarryHsts,
  everyAnswerCarriesARequestId,
  requestIdsAreNewForEveryRequest,
  safeRequestIdsAreKept,
  unsafeRequestIdsAreReplaced,
  errorBodiesRepeatTheRequestId,
  errorsNeverRepeatTheContent,
  badInputIsNeverAServerError,
  // Addresses and methods
  unknownRoutesAreNotFound,
  pathsAreExact,
  pathsAreDecodedOnce,
  malformedPercentEncodingIsInvalid,
  otherMethodsAre405,
  headAnswersLikeGet,
  headHasNoBody,
  overLongTargetsAre414,
  malformedHttpDoesNotStopTheServer,
  checksRunInOrder,
  unknownQueryParametersAreRefused,
  repeatedQueryParametersAreInvalid,
  numbersInQueriesAreCanonical,
  // Other origins
  foreignOriginsAreDenied,
  foreignOriginsChangeNothing,
  ownOriginPasses,
  corsIsNeverAWildcard,
  configuredOriginsAreLetIn,
  preflightAllowsWhatIsDocumented,
  preflightAllowsNothingElse,
  preflightOfForeignOriginsIsDenied,
  // The sign-in page
  loginPageShowsWhereYouAre,
  loginPageHasExactlyItsPolicy,
  loginPageNonceDiffersPerResponse,
  loginPageLoadsNothingFromElsewhere,
  loginPageSpeaksGermanAndEnglish,
  authorizeNeedsItsParameters,
  authorizeTakesNoOtherParameters,
  authorizeParametersAreChecked,
  authorizeAcceptsTheWholeGrammar,
  authorizeValuesCannotBreakOutOfThePage,
  authorizeErrorsAreForPeopleToo,
  // Begin and complete
  beginAnswersAChallenge,
  challengesAreNewEveryTime,
  actionsNeedTheCsrfHeader,
  completeNeedsTheStateOfItsChallenge,
  crossSiteRequestsAreRefused,
  attemptsAreChecked,
  unknownUsersLookLikeKnownOnes,
  unknownUsersFailLikeKnownOnes,
  usernamesAreComparedAfterNfc,
  rightProofAnswersACode,
  serverSignatureProvesTheServer,
  challengesWorkOnce,
  wrongProofsConsumeTheChallenge,
  malformedProofsConsumeTheChallenge,
  wrongProofsAreAllAlike,
  proofsAreBoundToTheirAttempt,
  mistypedCompletionsConsumeNothing,
  // Codes and tokens
  codeRedeemsForTokens,
  tokensHaveTheirForm,
  codeWorksOnce,
  wrongRedemptionsBurnTheCode,
  laterUseOfACodeRevokesItsSession,
  parallelRedemptionHasOneWinner,
  mistypedRedemptionsBurnNothing,
  unknownCodesAreInvalidGrant,
  grantTypesAreChecked,
  protectedRoutesNeedAToken,
  tokensAreNotTakenFromTheQuery,
  // Device sessions
  refreshRotates,
  refreshRetryGetsTheSameSuccessor,
  refreshReplayRevokesTheDevice,
  wrongRefreshTokensRevokeNothing,
  deviceDescribesItself,
  revokeEndsThisDevice,
  revokeTakesDeviceOrAll,
  deleteDeviceRevokesIt,
  revocationEndsEveryAccessToken,
  oneSessionPerDeviceId,
  // Bodies
  bodiesMustBeJson,
  jsonMayNameItsCharset,
  encodedBodiesAreRefused,
  bodiesOverTheLimitAre413,
  unparsableBodiesAreInvalidJson,
  bodiesMustBeObjects,
  unknownMembersAreRefused,
  membersAreChecked,
  // Push
  pushAnswersAReceiptForEach,
  receiptsFollowTheOperations,
  pushTakesOneToTheLimit,
  replaysAreDuplicates,
  reusedIdsAreConflicts,
  conflictsStoreNothing,
  malformedOperationsStoreNothing,
  messagesNameEveryBadIndex,
  messagesAreBounded,
  operationMembersAreExact,
  revisionsAreChecked,
  operationIdsMatchTheirRevision,
  entityIdsAreCanonical,
  tombstonesHaveNoPayload,
  changedFieldsAreNamed,
  habitsAreChecked,
  entriesAreChecked,
  settingsAreChecked,
  secretsAreRefused,
  operationsHaveBounds,
  memberNamesAreGivenOnce,
  validOperationsAreAccepted,
  operationsOfOtherDevicesAreAccepted,
  // Pull
  pullAnswersExactlyItsMembers,
  pullPagesReachTheHead,
  pullBeginsAtTheBeginning,
  pullHasADefaultLimit,
  pushedOperationsComeBackUnchanged,
  malformedCursorsAreRefused,
  cursorsOfAnotherGenerationStartAnew,
  cursorsAheadStartAnew,
  // Merge and snapshot
  snapshotHasExactlyItsMembers,
  snapshotCursorContinuesTheLog,
  createMakesEveryFieldVisible,
  patchChangesOnlyWhatItNames,
  greaterRevisionsWin,
  deleteLeavesATombstone,
  restoreBringsAnEntityBack,
  staleCreatesDoNotRevive,
  anyOrderGivesTheSameState,
  patchesWaitForTheirCreate,
  fieldsFromBeforeACreateAreHidden,
  changedTellsWhetherARegisterMoved,
  // What ends the run: allowed by a flag, one after the other
  ...LAST_SYNC_CASES,
];
