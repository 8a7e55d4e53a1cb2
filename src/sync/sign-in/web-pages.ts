/** Implements the pages before sign-in of the sync service with those of `web`. */
import { LANGUAGES, type Language } from "../../contract/language.ts";
import { SIGN_IN_LINK_PATH } from "../../contract/sign-in-link.ts";
import { WELCOME_PATH } from "../../contract/welcome.ts";
import { OWNER_ROUTES } from "../../contract/sync/owner-routes.ts";
import { SYNC_ROUTES } from "../../contract/sync/routes.ts";
import { LOGIN_PURPOSE } from "../../contract/sync/values.ts";
import { chooseLanguage } from "../../http/choose-language.ts";
import type { RawRequest } from "../../http/request.ts";
import { passkeysAvailable } from "../../identity/passkeys/relying-party.ts";
import type { RandomBytes } from "../../rules/web-crypto.ts";
import type { LoginPages } from "../pages.ts";
import type { DocumentFrame } from "../../web/document.ts";
import { renderNotFoundPage } from "../../web/error-card.ts";
import { renderLoginErrorPage, renderLoginPage } from "../../web/login/page.ts";
import { renderSyncLinkPage } from "../../web/sign-in-link/content.ts";
import { renderSyncWelcomePage } from "../../web/welcome/page.ts";
import {
  createFrameAnywhere,
  createLanguageUrls,
  createNonce,
  htmlResponse,
} from "../../http/html-response.ts";

const { path } = SYNC_ROUTES.getAuthorizePage;
const { path: passkeyEndpoint } = SYNC_ROUTES.signInWithPasskey;

export interface LoginPageSettings {
  readonly baseUrl: string;
  readonly displayName: string;
  readonly csrfHeader: string;
  readonly hasOwnerPage: boolean;
  readonly randomBytes: RandomBytes;
}

export function createLoginPages(settings: LoginPageSettings): LoginPages {
  const { baseUrl, displayName, csrfHeader, hasOwnerPage, randomBytes } = settings;
  const { origin } = new URL(baseUrl);
  const hasPasskeys = passkeysAvailable(baseUrl);
  const createFrame = (
    path: string,
    query: string,
    lang: Language | undefined,
    request: Pick<RawRequest, "header">,
  ): DocumentFrame => ({
    language: lang ?? chooseLanguage(request.header("accept-language"), LANGUAGES),
    displayName,
    nonce: createNonce(randomBytes),
    languageUrls: createLanguageUrls(path, query),
  });
  return {
    login({ lang, ...query }, { delivery }, context) {
      const search = new URLSearchParams(query).toString();
      const frame = createFrame(path, search, lang, context);
      const page = renderLoginPage({
        ...frame,
        origin,
        ownAddress: `${baseUrl}${path}?${search}`,
        endpoint: path,
        ...(hasPasskeys && { passkeyEndpoint }),
        csrfHeader,
        purpose: LOGIN_PURPOSE,
        attempt: {
          codeChallenge: query.code_challenge,
          state: query.state,
          redirectUri: query.redirect_uri,
          attemptId: query.attempt_id,
          deviceId: query.device_id,
        },
        delivery,
      });
      return htmlResponse(200, page, frame);
    },
    signInLink(lang, context) {
      const frame = createFrame(SIGN_IN_LINK_PATH, "", lang, context);
      return htmlResponse(200, renderSyncLinkPage(frame), frame);
    },
    welcome(lang, context) {
      const frame = createFrame(WELCOME_PATH, "", lang, context);
      return htmlResponse(200, renderSyncWelcomePage(frame, origin, hasOwnerPage), frame);
    },
    error(view, request) {
      const frame = createFrameAnywhere(request, displayName, randomBytes);
      const page =
        view.status === 404
          ? renderNotFoundPage(frame, view, hasOwnerPage ? OWNER_ROUTES.getOwnerPage.path : null)
          : renderLoginErrorPage(frame, view);
      return htmlResponse(view.status, page, frame);
    },
  };
}
