/** The page of invitations and reset links of the sync service. */
import { OWNER_ROUTES } from "../../contract/sync/owner-routes.ts";
import { WELCOME_PATH } from "../../contract/welcome.ts";
import type { DocumentFrame } from "../document.ts";
import { WELCOME_SCRIPT } from "../generated/welcome-script.ts";
import { renderLinkDocument } from "../sign-in-link/content.ts";
import { welcomeContent } from "./content.ts";
import { WELCOME_TEXTS } from "./texts.ts";

export function renderSyncWelcomePage(
  frame: DocumentFrame,
  origin: string,
  hasOwnerPage: boolean,
): string {
  const { displayName, language } = frame;
  const main = welcomeContent({
    service: "sync",
    displayName,
    language,
    origin,
    data: { endpoint: WELCOME_PATH, knownBrowserPlace: "storage" },
    signInUrl: hasOwnerPage ? `${OWNER_ROUTES.getOwnerPage.path}?lang=${language}` : null,
  });
  return renderLinkDocument(frame, WELCOME_TEXTS[language].title, WELCOME_SCRIPT, main);
}
