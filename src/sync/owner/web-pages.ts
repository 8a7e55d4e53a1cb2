/** Implements the owner's page of the sync service with the owner's page of `web`. */
import { LANGUAGES } from "../../contract/language.ts";
import { OWNER_ROUTES } from "../../contract/sync/owner-routes.ts";
import { chooseLanguage } from "../../http/choose-language.ts";
import type { RandomBytes } from "../../rules/web-crypto.ts";
import type { OwnerFrame, OwnerPages } from "../pages.ts";
import { renderOwnerPage } from "../../web/owner/page.ts";
import { renderOwnerSignInPage } from "../../web/owner/sign-in-page.ts";
import type { OwnerDocumentFrame } from "../../web/owner/frame.ts";
import { createLanguageUrls, createNonce, htmlResponse } from "../../http/html-response.ts";

export interface OwnerPageSettings {
  readonly displayName: string;
  readonly randomBytes: RandomBytes;
  now(): number;
}

const { path } = OWNER_ROUTES.getOwnerPage;

export function createOwnerPages({ displayName, randomBytes, now }: OwnerPageSettings): OwnerPages {
  const createFrame = ({ chosen, tab, request }: OwnerFrame): OwnerDocumentFrame => ({
    language: chosen ?? chooseLanguage(request.header("accept-language"), LANGUAGES),
    chosen,
    tab,
    displayName,
    nonce: createNonce(randomBytes),
    languageUrls: createLanguageUrls(path, tab === "devices" ? "" : `tab=${tab}`),
    now: now(),
  });
  return {
    signIn(view, given) {
      const frame = createFrame(given);
      return htmlResponse(200, renderOwnerSignInPage(view, frame), frame);
    },
    owner(status, view, given) {
      const frame = createFrame(given);
      return htmlResponse(status, renderOwnerPage(view, frame), frame);
    },
  };
}
