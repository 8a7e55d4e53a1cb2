import type { Language } from "../../contract/language.ts";
import type { OwnerTab } from "../../contract/sync/owner-values.ts";
import { OWNER_ROUTES } from "../../contract/sync/owner-routes.ts";
import { renderDocument, type DocumentFrame } from "../document.ts";
import { OWNER_SCRIPT } from "../generated/owner-script.ts";
import type { Html } from "../html.ts";

export interface OwnerDocumentFrame extends DocumentFrame {
  /** The language that was chosen on the page, which its addresses keep; null without one. */
  readonly chosen: Language | null;
  readonly tab: OwnerTab;
  readonly now: number;
}

export const OWNER_PATHS = {
  page: OWNER_ROUTES.getOwnerPage.path,
  signIn: OWNER_ROUTES.ownerSignIn.path,
  passkeySignIn: OWNER_ROUTES.ownerPasskeySignIn.path,
  password: OWNER_ROUTES.changeOwnerPassword.path,
  addPasskey: OWNER_ROUTES.addOwnerPasskey.path,
  export: OWNER_ROUTES.exportEntities.path,
} as const;

/** The query of the addresses of a tab, or empty. */
export function ownerQuery({ chosen }: Pick<OwnerDocumentFrame, "chosen">, tab: OwnerTab): string {
  const query = new URLSearchParams({
    ...(tab !== "devices" && { tab }),
    ...(chosen !== null && { lang: chosen }),
  });
  return query.size === 0 ? "" : `?${query.toString()}`;
}

export interface OwnerDocument {
  readonly title: string;
  readonly header?: Html;
  readonly main: Html;
}

export function renderOwnerDocument(
  frame: OwnerDocumentFrame,
  { title, header, main }: OwnerDocument,
): string {
  return renderDocument(frame, {
    title: `${title} · ${frame.displayName}`,
    script: OWNER_SCRIPT,
    // The header says no-referrer, with which browsers send `Origin: null` with forms.
    referrer: "same-origin",
    ...(header !== undefined && { header }),
    main,
  });
}
