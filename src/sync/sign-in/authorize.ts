/** /v1/authorize: the login page, and the password proof of its script. */
import { createChecker } from "../../contract/check.ts";
import { CODE_CHALLENGE_PATTERN, ID_PATTERN, STATE_PATTERN } from "../../contract/identity.ts";
import {
  Attempt,
  type AuthorizeBody,
  type CompletedResponse,
  type PasskeyAttempt,
} from "../../contract/sync/schemas.ts";
import type { HttpError } from "../../http/http-error.ts";
import { isOpenedElsewhere, type RequestContext } from "../../http/request.ts";
import type { HttpResponse } from "../../http/response.ts";
import type { StoredServiceNotice } from "../../http/stored-service.ts";
import { parseUsername } from "../../rules/identity/grammar.ts";
import { errorResponse } from "../responses/error-response.ts";
import type { LoginPages, LoginQuery } from "../pages.ts";
import type { GrantedProof } from "../../identity/account/ways-in.ts";
import type { SyncDependencies } from "../setup/dependencies.ts";
import { issueCode, type CodeBinding } from "./authorization-codes.ts";
import { challengeResponse, proofResponse } from "./proof-responses.ts";
import type { AllowedRedirect, RedirectAllowlist } from "./redirect-allowlist.ts";

/** What the page needs, which a host shows for instances that are not open too. */
export interface AuthorizePageSettings {
  readonly baseUrl: string;
  readonly redirects: RedirectAllowlist;
  readonly pages: LoginPages;
  onNotice(notice: StoredServiceNotice): void;
}

type IssuedCode = Pick<CompletedResponse, "code" | "redirectUri">;
type AuthorizeContext = RequestContext<unknown, { readonly value: AuthorizeBody }>;

const UNLISTED_REDIRECT: HttpError = {
  kind: "invalid-parameter",
  name: "redirect_uri",
  code: "invalid_authorization_request",
  reason: "not-listed",
};

/** The login page: it needs no store. */
export function createAuthorizePage(settings: AuthorizePageSettings) {
  const { origin } = new URL(settings.baseUrl);
  return (query: LoginQuery, context: RequestContext) => {
    const { requestId } = context;
    const redirect = findRedirect(settings, query.redirect_uri, requestId);
    if (redirect === undefined) return UNLISTED_REDIRECT;
    if (isOpenedElsewhere(context, origin)) {
      settings.onNotice({ kind: "opened-elsewhere", requestId });
    }
    return settings.pages.login(query, redirect, context);
  };
}

export function createAuthorizeHandlers(dependencies: SyncDependencies) {
  const { account, csrfHeader, randomBytes, now } = dependencies;
  const { waysIn } = account;
  const isAttempt = createChecker(Attempt).is;

  return {
    async authorize(_input: unknown, context: AuthorizeContext): Promise<HttpResponse | HttpError> {
      const { requestId, content } = context;
      const body = content.value;
      if (!isOwnPage(context, body.csrf, csrfHeader)) {
        return errorResponse("csrf_failed", requestId);
      }
      if (body.action === "begin") return begin(body.attempt, body.csrf, context);
      const { challengeId, clientNonce, proof, csrf: state } = body;
      const visit = { purpose: "app", ...account.readOrigin(context) } as const;
      const result = await waysIn.provePassword(
        { challengeId, clientNonce, proof, claimed: { state }, ...visit },
        async ({ identity }, { attempt }) => {
          // Members of the attempt that the first step has checked.
          const checked = attempt as Omit<CodeBinding, "family">;
          const code = await issueCode(identity, checked, now(), randomBytes);
          return { code, redirectUri: checked.redirectUri };
        },
      );
      const toBody = ({ value, serverSignature }: GrantedProof<IssuedCode>) => ({
        ...value,
        state,
        serverSignature,
      });
      return proofResponse(result, requestId, toBody);
    },
  };

  async function begin(
    given: unknown,
    csrf: string,
    context: AuthorizeContext,
  ): Promise<HttpResponse | HttpError> {
    const { requestId } = context;
    if (!isAttempt(given)) return errorResponse("invalid_authorization_request", requestId);
    const { username: name, ...attempt } = given;
    const error = findAttemptError(dependencies, attempt, csrf, requestId);
    if (error !== null) return error;
    const username = parseUsername(name);
    if (username === null) return errorResponse("invalid_authorization_request", requestId);
    return challengeResponse(await waysIn.begin(username, attempt, account.readOrigin(context)));
  }
}

/** Null for an attempt that may begin, by whichever way to sign in. */
export function findAttemptError(
  settings: AuthorizePageSettings,
  attempt: PasskeyAttempt,
  csrf: string,
  requestId: string,
): HttpResponse | HttpError | null {
  if (attempt.state !== csrf) return errorResponse("csrf_failed", requestId);
  if (!isWellFormed(attempt)) return errorResponse("invalid_authorization_request", requestId);
  const redirect = findRedirect(settings, attempt.redirectUri, requestId);
  return redirect === undefined ? UNLISTED_REDIRECT : null;
}

function findRedirect(
  { redirects, onNotice }: AuthorizePageSettings,
  uri: string,
  requestId: string,
): AllowedRedirect | undefined {
  const redirect = redirects.get(uri);
  if (redirect === undefined) onNotice({ kind: "redirect-not-listed", requestId, clientId: null });
  return redirect;
}

/** Sync contract, Authentication 4. For browsers without Fetch Metadata there is the CSRF header. */
export function isOwnPage(
  context: Pick<RequestContext, "header">,
  csrf: string,
  csrfHeader: string,
): boolean {
  const isSameSite = context.header("sec-fetch-site") !== "cross-site";
  return isSameSite && context.header(csrfHeader) === csrf;
}

const STATE = new RegExp(STATE_PATTERN);
const ID = new RegExp(ID_PATTERN);
const CODE_CHALLENGE = new RegExp(CODE_CHALLENGE_PATTERN);

function isWellFormed(attempt: PasskeyAttempt): boolean {
  return (
    STATE.test(attempt.state) &&
    CODE_CHALLENGE.test(attempt.codeChallenge) &&
    ID.test(attempt.attemptId) &&
    ID.test(attempt.deviceId)
  );
}
