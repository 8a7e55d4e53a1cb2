/** Wires the sign-in page into the sync service. */
import { LOGIN_PURPOSE } from "../contract/sync/values.ts";
import type { HttpResponse } from "../http/response.ts";
import { chooseLanguage } from "../http/choose-language.ts";
import type { RandomBytes } from "../identity/node-primitives.ts";
import type { LoginPages } from "../sync/login-pages.ts";
import { LANGUAGES, type Language } from "../web/language.ts";
import { renderLoginPage } from "../web/login/page.ts";
import { renderLoginErrorPage } from "../web/login/problem-page.ts";

const AUTHORIZE_PATH = "/v1/authorize";
const NONCE_BYTES = 18;

export interface LoginPageSettings {
  readonly displayName: string;
  readonly csrfHeader: string;
  readonly randomBytes: RandomBytes;
}

export function createLoginPages(settings: LoginPageSettings): LoginPages {
  const { displayName, csrfHeader, randomBytes } = settings;
  const createNonce = () => Buffer.from(randomBytes(NONCE_BYTES)).toString("base64");
  return {
    login(query, redirect, context) {
      const { lang, ...rest } = query;
      const nonce = createNonce();
      const address = (language: Language) =>
        `${AUTHORIZE_PATH}?${new URLSearchParams({ ...rest, lang: language }).toString()}`;
      const page = renderLoginPage({
        language: lang ?? chooseLanguage(context.header("accept-language"), LANGUAGES),
        displayName,
        nonce,
        languageUrls: { de: address("de"), en: address("en") },
        endpoint: AUTHORIZE_PATH,
        csrfHeader,
        purpose: LOGIN_PURPOSE,
        attempt: {
          codeChallenge: query.code_challenge,
          state: query.state,
          redirectUri: query.redirect_uri,
          attemptId: query.attempt_id,
          deviceId: query.device_id,
        },
        delivery: redirect.delivery,
      });
      return htmlResponse(200, page, nonce);
    },
    error(error, request) {
      const nonce = createNonce();
      const address = (language: Language) => withLanguage(request.target, language);
      const page = renderLoginErrorPage(
        {
          language:
            readLanguage(request.target) ??
            chooseLanguage(request.header("accept-language"), LANGUAGES),
          displayName,
          nonce,
          languageUrls: { de: address("de"), en: address("en") },
        },
        error,
      );
      return htmlResponse(error.status, page, nonce);
    },
  };
}

/** Sync contract, Authentication 9. */
function htmlResponse(status: number, body: string, nonce: string): HttpResponse {
  return {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": `default-src 'none'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'`,
      "Content-Length": String(Buffer.byteLength(body)),
    },
    body,
  };
}

function readLanguage(target: string): Language | undefined {
  const lang = new URLSearchParams(target.split("?")[1] ?? "").get("lang");
  return lang === "de" || lang === "en" ? lang : undefined;
}

/** The same wrong request in another language: it is still wrong, but now it can be read. */
function withLanguage(target: string, language: Language): string {
  const query = new URLSearchParams(target.split("?")[1] ?? "");
  query.set("lang", language);
  return `${AUTHORIZE_PATH}?${query.toString()}`;
}
