/** Paths of the pages with what they are about. */
import { EVENTS_PAGE_ROUTES } from "../contract/events/page-routes.ts";

const { getSignInPage, getConsentPage } = EVENTS_PAGE_ROUTES;

/** Ids are Base64URL and need no escaping. */
export function signInAddress(interaction: string): string {
  return `${getSignInPage.path}?interaction=${interaction}`;
}

export function consentAddress(interaction: string): string {
  return `${getConsentPage.path}?interaction=${interaction}`;
}

export function noticeAddress(path: string, notice: string): string {
  return `${path}?notice=${notice}`;
}
