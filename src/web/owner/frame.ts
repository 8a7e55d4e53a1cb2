import { OWNER_ROUTES } from "../../contract/sync/owner-routes.ts";
import { renderDocument, type DocumentFrame } from "../document.ts";
import { OWNER_SCRIPT } from "../generated/owner-script.ts";
import { OWNER_STYLE } from "../generated/owner-style.ts";
import type { Html } from "../html.ts";

export interface OwnerDocumentFrame extends DocumentFrame {
  /** The query with the language that was chosen on the page, for its own addresses; otherwise empty. */
  readonly query: string;
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
    style: OWNER_STYLE,
    script: OWNER_SCRIPT,
    // The header says no-referrer, with which browsers send `Origin: null` with forms.
    referrer: "same-origin",
    ...(header !== undefined && { header }),
    main,
  });
}
