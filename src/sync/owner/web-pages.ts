/** Implements the owner's page of the sync service with the owner's page of `web`. */
import { LANGUAGES } from "../../contract/language.ts";
import { OWNER_ROUTES } from "../../contract/sync/owner-routes.ts";
import { chooseLanguage } from "../../http/choose-language.ts";
import type { SyncDependencies } from "../setup/dependencies.ts";
import type { OwnerFrame, OwnerPages } from "../pages.ts";
import { renderOwnerPage } from "../../web/owner/page.ts";
import { renderOwnerSignInPage } from "../../web/owner/sign-in-page.ts";
import type { OwnerDocumentFrame } from "../../web/owner/frame.ts";
import { createLanguageUrls, createNonce, htmlResponse } from "../../http/html-response.ts";

const { path } = OWNER_ROUTES.getOwnerPage;

export function createOwnerPages({ displayName, randomBytes, now }: SyncDependencies): OwnerPages {
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
