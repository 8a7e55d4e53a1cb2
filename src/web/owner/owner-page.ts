import type { OwnerView } from "../../contract/sync/page-views.ts";
import type { Clock } from "../moments.ts";
import type { OwnerTexts } from "./texts.ts";

/** What the parts of the owner's page share. */
export interface OwnerPage {
  readonly view: OwnerView;
  readonly texts: OwnerTexts;
  readonly clock: Clock;
  /** Where forms are posted. */
  readonly action: string;
  /** The query of the addresses of the page. */
  readonly query: string;
}
