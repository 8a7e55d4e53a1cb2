/** Every case of the events service, in the order of the report. */
import { accessTokenFitsTheHeader } from "./cases/events/access-token-fits-the-header.ts";
import { accessTokenOpensTheEvents } from "./cases/events/access-token-opens-the-events.ts";
import { allowingAnswers303 } from "./cases/events/allowing-answers-303.ts";
import { appsMayAskFromAnyOrigin } from "./cases/events/apps-may-ask-from-any-origin.ts";
import { authorizeChecksInOrder } from "./cases/events/authorize-checks-in-order.ts";
import { authorizePutsTheRequestBeforeAPerson } from "./cases/events/authorize-puts-the-request-before-a-person.ts";
import { badInputIsNeverAServerError } from "./cases/events/bad-input-is-never-a-server-error.ts";
import { basicIsRefused } from "./cases/events/basic-is-refused.ts";
import { clientSecretsAreIgnored } from "./cases/events/client-secrets-are-ignored.ts";
import { codeChallengesAreChecked } from "./cases/events/code-challenges-are-checked.ts";
import { codeRedeemsForAnAccessToken } from "./cases/events/code-redeems-for-an-access-token.ts";
import { codesAreBoundToTheirClient } from "./cases/events/codes-are-bound-to-their-client.ts";
import { codesAreBoundToTheirRedirectUri } from "./cases/events/codes-are-bound-to-their-redirect-uri.ts";
import { codesAreForTheirGrantType } from "./cases/events/codes-are-for-their-grant-type.ts";
import { codesNeedAVerifier } from "./cases/events/codes-need-a-verifier.ts";
import { codesNeedTheirVerifier } from "./cases/events/codes-need-their-verifier.ts";
import { codesWorkOnce } from "./cases/events/codes-work-once.ts";
import { consentIsAskedEveryTime } from "./cases/events/consent-is-asked-every-time.ts";
import { cookiesAreForThisSiteAlone } from "./cases/events/cookies-are-for-this-site-alone.ts";
import { cookiesOpenNoEvents } from "./cases/events/cookies-open-no-events.ts";
import { createdAtIsIso8601 } from "./cases/events/created-at-is-iso-8601.ts";
import { decisionsNeedTheirToken } from "./cases/events/decisions-need-their-token.ts";
import { deletionsAreLeftOut } from "./cases/events/deletions-are-left-out.ts";
import { deletionsAreListedWhenAsked } from "./cases/events/deletions-are-listed-when-asked.ts";
import { denyingIsAccessDenied } from "./cases/events/denying-is-access-denied.ts";
import { emptyStateIsNoState } from "./cases/events/empty-state-is-no-state.ts";
import { errorsHaveTheirForm } from "./cases/events/errors-have-their-form.ts";
import { eventDatesAreIso8601 } from "./cases/events/event-dates-are-iso-8601.ts";
import { eventDatesAreStrict } from "./cases/events/event-dates-are-strict.ts";
import { eventIdsAreStable } from "./cases/events/event-ids-are-stable.ts";
import { eventIdsAreText } from "./cases/events/event-ids-are-text.ts";
import { eventIdsAreUnique } from "./cases/events/event-ids-are-unique.ts";
import { eventTextsAreTextOrNull } from "./cases/events/event-texts-are-text-or-null.ts";
import { eventTypesAreText } from "./cases/events/event-types-are-text.ts";
import { eventsAreAJsonObject } from "./cases/events/events-are-a-json-object.ts";
import { eventsAreAnArrayOfObjects } from "./cases/events/events-are-an-array-of-objects.ts";
import { eventsHaveAllSixMembers } from "./cases/events/events-have-all-six-members.ts";
import { eventsNeedAToken } from "./cases/events/events-need-a-token.ts";
import { everyAnswerCarriesARequestId } from "./cases/events/every-answer-carries-a-request-id.ts";
import { everyAnswerDeniesFraming } from "./cases/events/every-answer-denies-framing.ts";
import { everyAnswerForbidsSniffing } from "./cases/events/every-answer-forbids-sniffing.ts";
import { everyAnswerIsNeverStored } from "./cases/events/every-answer-is-never-stored.ts";
import { everythingChangedSinceTheBeginning } from "./cases/events/everything-changed-since-the-beginning.ts";
import { foreignSitesCannotDecide } from "./cases/events/foreign-sites-cannot-decide.ts";
import { formParametersAreNotTakenFromTheQuery } from "./cases/events/form-parameters-are-not-taken-from-the-query.ts";
import { fullListBeginsWithWhatIsComing } from "./cases/events/full-list-begins-with-what-is-coming.ts";
import { fullListThatDoesNotFitStartsAnew } from "./cases/events/full-list-that-does-not-fit-starts-anew.ts";
import { fullListThatFitsGoesOnAfterIt } from "./cases/events/full-list-that-fits-goes-on-after-it.ts";
import { headAnswersLikeGet } from "./cases/events/head-answers-like-get.ts";
import { headBeginsNothing } from "./cases/events/head-begins-nothing.ts";
import { headHasNoBody } from "./cases/events/head-has-no-body.ts";
import { healthSaysOk } from "./cases/events/health-says-ok.ts";
import { hostHeadersChangeNothing } from "./cases/events/host-headers-change-nothing.ts";
import { httpsAnswersCarryHsts } from "./cases/events/https-answers-carry-hsts.ts";
import { includeDeletedIsTrueOrFalse } from "./cases/events/include-deleted-is-true-or-false.ts";
import { laterUseOfACodeRevokesItsToken } from "./cases/events/later-use-of-a-code-revokes-its-token.ts";
import { limitBoundsTheList } from "./cases/events/limit-bounds-the-list.ts";
import { limitIsACanonicalInteger } from "./cases/events/limit-is-a-canonical-integer.ts";
import { linkNamesTheNextPage } from "./cases/events/link-names-the-next-page.ts";
import { listChecksTheTokenFirst } from "./cases/events/list-checks-the-token-first.ts";
import { listsArePrivate } from "./cases/events/lists-are-private.ts";
import { malformedCredentialsAre400 } from "./cases/events/malformed-credentials-are-400.ts";
import { malformedHttpDoesNotStopTheServer } from "./cases/events/malformed-http-does-not-stop-the-server.ts";
import { malformedPercentEncodingIsInvalid } from "./cases/events/malformed-percent-encoding-is-invalid.ts";
import { metadataDescribesTheService } from "./cases/events/metadata-describes-the-service.ts";
import { missingCredentialsAreToldOfNoError } from "./cases/events/missing-credentials-are-told-of-no-error.ts";
import { missingOffsetsAreTheEarliestMoment } from "./cases/events/missing-offsets-are-the-earliest-moment.ts";
import { mistypedRedemptionsBurnNothing } from "./cases/events/mistyped-redemptions-burn-nothing.ts";
import { originIsOneThatClientsAccept } from "./cases/events/origin-is-one-that-clients-accept.ts";
import { otherGrantTypesAreUnsupported } from "./cases/events/other-grant-types-are-unsupported.ts";
import { otherMethodsAre405 } from "./cases/events/other-methods-are-405.ts";
import { otherResponseTypesAreUnsupported } from "./cases/events/other-response-types-are-unsupported.ts";
import { otherScopesAreInvalid } from "./cases/events/other-scopes-are-invalid.ts";
import { overLongTargetsAre414 } from "./cases/events/over-long-targets-are-414.ts";
import { pageSizeChangesNothing } from "./cases/events/page-size-changes-nothing.ts";
import { pagesAreForTheirOwnOrigin } from "./cases/events/pages-are-for-their-own-origin.ts";
import { pagesAreFullWhileThereIsMore } from "./cases/events/pages-are-full-while-there-is-more.ts";
import { pagesLoseNothing } from "./cases/events/pages-lose-nothing.ts";
import { parallelRedemptionHasOneWinner } from "./cases/events/parallel-redemption-has-one-winner.ts";
import { pathsAreExact } from "./cases/events/paths-are-exact.ts";
import { preflightsAllowWhatAppsSend } from "./cases/events/preflights-allow-what-apps-send.ts";
import { redirectCarriesOneCode } from "./cases/events/redirect-carries-one-code.ts";
import { redirectGoesToTheSuppliedUri } from "./cases/events/redirect-goes-to-the-supplied-uri.ts";
import { redirectUrisMatchToTheLetter } from "./cases/events/redirect-uris-match-to-the-letter.ts";
import { refusalsAre302 } from "./cases/events/refusals-are-302.ts";
import { refusalsAreExplainedInAscii } from "./cases/events/refusals-are-explained-in-ascii.ts";
import { refusalsNameTheIssuer } from "./cases/events/refusals-name-the-issuer.ts";
import { repeatedAuthorizeParametersAreInvalid } from "./cases/events/repeated-authorize-parameters-are-invalid.ts";
import { repeatedFormParametersAreInvalid } from "./cases/events/repeated-form-parameters-are-invalid.ts";
import { repeatedListParametersAreInvalid } from "./cases/events/repeated-list-parameters-are-invalid.ts";
import { requestIdsAreNewForEveryRequest } from "./cases/events/request-ids-are-new-for-every-request.ts";
import { requestObjectsAreRefused } from "./cases/events/request-objects-are-refused.ts";
import { requestsAreDecidedOnce } from "./cases/events/requests-are-decided-once.ts";
import { requestsBelongToTheirBrowser } from "./cases/events/requests-belong-to-their-browser.ts";
import { requestsWithoutAChallengeAreRefused } from "./cases/events/requests-without-a-challenge-are-refused.ts";
import { responseTypeIsNeeded } from "./cases/events/response-type-is-needed.ts";
import { revocationEndsTheToken } from "./cases/events/revocation-ends-the-token.ts";
import { revocationNeedsTokenAndClient } from "./cases/events/revocation-needs-token-and-client.ts";
import { revocationOfUnknownTokensIsFine } from "./cases/events/revocation-of-unknown-tokens-is-fine.ts";
import { schemeIsReadInAnyCase } from "./cases/events/scheme-is-read-in-any-case.ts";
import { serverSignatureProvesTheService } from "./cases/events/server-signature-proves-the-service.ts";
import { serverTimeIsNow } from "./cases/events/server-time-is-now.ts";
import { signInIsANewSession } from "./cases/events/sign-in-is-a-new-session.ts";
import { stateComesBackUnchanged } from "./cases/events/state-comes-back-unchanged.ts";
import { stateIsEchoedByteForByte } from "./cases/events/state-is-echoed-byte-for-byte.ts";
import { subresourcesBeginNothing } from "./cases/events/subresources-begin-nothing.ts";
import { successNamesTheIssuer } from "./cases/events/success-names-the-issuer.ts";
import { theFutureIsEmpty } from "./cases/events/the-future-is-empty.ts";
import { tokenAnswerHasItsMembers } from "./cases/events/token-answer-has-its-members.ts";
import { tokenAnswerIsJson } from "./cases/events/token-answer-is-json.ts";
import { tokenAnswersAreNeverStored } from "./cases/events/token-answers-are-never-stored.ts";
import { tokenBodiesMustBeForms } from "./cases/events/token-bodies-must-be-forms.ts";
import { tokenBodiesOverTheLimitAre413 } from "./cases/events/token-bodies-over-the-limit-are-413.ts";
import { tokenChecksInOrder } from "./cases/events/token-checks-in-order.ts";
import { tokenMembersAreNeeded } from "./cases/events/token-members-are-needed.ts";
import { tokenScopeLetsReadEvents } from "./cases/events/token-scope-lets-read-events.ts";
import { tokenTypeIsBearer } from "./cases/events/token-type-is-bearer.ts";
import { tokensAreNotTakenFromTheQuery } from "./cases/events/tokens-are-not-taken-from-the-query.ts";
import { unknownAuthorizeParametersAreIgnored } from "./cases/events/unknown-authorize-parameters-are-ignored.ts";
import { unknownClientsAreInvalidClient } from "./cases/events/unknown-clients-are-invalid-client.ts";
import { unknownClientsAreNotSentAnywhere } from "./cases/events/unknown-clients-are-not-sent-anywhere.ts";
import { unknownClientsGetAPage } from "./cases/events/unknown-clients-get-a-page.ts";
import { unknownCodesGetNoToken } from "./cases/events/unknown-codes-get-no-token.ts";
import { unknownListParametersAreIgnored } from "./cases/events/unknown-list-parameters-are-ignored.ts";
import { unknownRoutesAreNotFound } from "./cases/events/unknown-routes-are-not-found.ts";
import { unknownTokensAreInvalidToken } from "./cases/events/unknown-tokens-are-invalid-token.ts";
import { unknownTokensGetNoEvents } from "./cases/events/unknown-tokens-get-no-events.ts";
import { unreadableFormsAreInvalid } from "./cases/events/unreadable-forms-are-invalid.ts";
import { unreadableStateIsLeftOut } from "./cases/events/unreadable-state-is-left-out.ts";
import { unregisteredRedirectUrisAreNotFollowed } from "./cases/events/unregistered-redirect-uris-are-not-followed.ts";
import { unusableCodesAreAllAlike } from "./cases/events/unusable-codes-are-all-alike.ts";
import { updatedSinceIsAnyIso8601DateTime } from "./cases/events/updated-since-is-any-iso-8601-date-time.ts";
import { updatedSinceIsChecked } from "./cases/events/updated-since-is-checked.ts";
import { updatedSinceIsInclusive } from "./cases/events/updated-since-is-inclusive.ts";
import { updatedSinceTakesMoreForms } from "./cases/events/updated-since-takes-more-forms.ts";
import { wrongPasswordsSignNobodyIn } from "./cases/events/wrong-passwords-sign-nobody-in.ts";
import { wrongRedemptionsBurnTheCode } from "./cases/events/wrong-redemptions-burn-the-code.ts";
import type { EventsCase } from "./events/target.ts";

export const EVENTS_CASES: readonly EventsCase[] = [
  // The contract: the origin
  originIsOneThatClientsAccept,
  // The contract: authorization
  authorizePutsTheRequestBeforeAPerson,
  redirectGoesToTheSuppliedUri,
  redirectCarriesOneCode,
  stateComesBackUnchanged,
  unknownClientsAreNotSentAnywhere,
  unregisteredRedirectUrisAreNotFollowed,
  requestsWithoutAChallengeAreRefused,
  // The contract: tokens
  codeRedeemsForAnAccessToken,
  tokenAnswerIsJson,
  tokenTypeIsBearer,
  tokenScopeLetsReadEvents,
  accessTokenFitsTheHeader,
  accessTokenOpensTheEvents,
  unknownCodesGetNoToken,
  codesNeedTheirVerifier,
  codesNeedAVerifier,
  codesAreBoundToTheirRedirectUri,
  codesAreBoundToTheirClient,
  codesAreForTheirGrantType,
  codesWorkOnce,
  // The contract: the list of events
  eventsAreAJsonObject,
  eventsAreAnArrayOfObjects,
  eventIdsAreText,
  eventIdsAreUnique,
  eventIdsAreStable,
  eventTypesAreText,
  eventTextsAreTextOrNull,
  eventDatesAreIso8601,
  createdAtIsIso8601,
  limitBoundsTheList,
  updatedSinceIsAnyIso8601DateTime,
  everythingChangedSinceTheBeginning,
  eventsNeedAToken,
  unknownTokensGetNoEvents,
  // Trellis: authorization requests
  unknownClientsGetAPage,
  redirectUrisMatchToTheLetter,
  repeatedAuthorizeParametersAreInvalid,
  responseTypeIsNeeded,
  otherResponseTypesAreUnsupported,
  codeChallengesAreChecked,
  otherScopesAreInvalid,
  requestObjectsAreRefused,
  authorizeChecksInOrder,
  unknownAuthorizeParametersAreIgnored,
  emptyStateIsNoState,
  stateIsEchoedByteForByte,
  unreadableStateIsLeftOut,
  refusalsNameTheIssuer,
  successNamesTheIssuer,
  refusalsAreExplainedInAscii,
  refusalsAre302,
  headBeginsNothing,
  subresourcesBeginNothing,
  // Trellis: the person's decision
  consentIsAskedEveryTime,
  allowingAnswers303,
  denyingIsAccessDenied,
  requestsAreDecidedOnce,
  requestsBelongToTheirBrowser,
  decisionsNeedTheirToken,
  foreignSitesCannotDecide,
  cookiesAreForThisSiteAlone,
  signInIsANewSession,
  wrongPasswordsSignNobodyIn,
  serverSignatureProvesTheService,
  // Trellis: tokens
  tokenAnswerHasItsMembers,
  tokenAnswersAreNeverStored,
  tokenBodiesMustBeForms,
  tokenBodiesOverTheLimitAre413,
  repeatedFormParametersAreInvalid,
  unreadableFormsAreInvalid,
  formParametersAreNotTakenFromTheQuery,
  tokenMembersAreNeeded,
  otherGrantTypesAreUnsupported,
  unknownClientsAreInvalidClient,
  basicIsRefused,
  clientSecretsAreIgnored,
  unusableCodesAreAllAlike,
  wrongRedemptionsBurnTheCode,
  mistypedRedemptionsBurnNothing,
  parallelRedemptionHasOneWinner,
  laterUseOfACodeRevokesItsToken,
  tokenChecksInOrder,
  revocationEndsTheToken,
  revocationOfUnknownTokensIsFine,
  revocationNeedsTokenAndClient,
  // Trellis: reading events
  missingCredentialsAreToldOfNoError,
  malformedCredentialsAre400,
  unknownTokensAreInvalidToken,
  tokensAreNotTakenFromTheQuery,
  schemeIsReadInAnyCase,
  cookiesOpenNoEvents,
  limitIsACanonicalInteger,
  updatedSinceTakesMoreForms,
  updatedSinceIsChecked,
  includeDeletedIsTrueOrFalse,
  repeatedListParametersAreInvalid,
  unknownListParametersAreIgnored,
  listChecksTheTokenFirst,
  eventsHaveAllSixMembers,
  eventDatesAreStrict,
  listsArePrivate,
  fullListBeginsWithWhatIsComing,
  fullListThatDoesNotFitStartsAnew,
  fullListThatFitsGoesOnAfterIt,
  pagesLoseNothing,
  pageSizeChangesNothing,
  pagesAreFullWhileThereIsMore,
  updatedSinceIsInclusive,
  missingOffsetsAreTheEarliestMoment,
  theFutureIsEmpty,
  linkNamesTheNextPage,
  serverTimeIsNow,
  deletionsAreLeftOut,
  deletionsAreListedWhenAsked,
  // Trellis: metadata and health
  metadataDescribesTheService,
  hostHeadersChangeNothing,
  healthSaysOk,
  // Trellis: every answer
  everyAnswerCarriesARequestId,
  requestIdsAreNewForEveryRequest,
  everyAnswerIsNeverStored,
  everyAnswerForbidsSniffing,
  everyAnswerDeniesFraming,
  httpsAnswersCarryHsts,
  appsMayAskFromAnyOrigin,
  preflightsAllowWhatAppsSend,
  pagesAreForTheirOwnOrigin,
  errorsHaveTheirForm,
  badInputIsNeverAServerError,
  otherMethodsAre405,
  headAnswersLikeGet,
  headHasNoBody,
  pathsAreExact,
  unknownRoutesAreNotFound,
  malformedPercentEncodingIsInvalid,
  overLongTargetsAre414,
  malformedHttpDoesNotStopTheServer,
];
