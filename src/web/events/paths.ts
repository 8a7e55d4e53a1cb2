/** Where the pages are. */
import { EVENTS_PAGE_ROUTES } from "../../contract/events/page-routes.ts";

export const PATHS = {
  home: EVENTS_PAGE_ROUTES.getHomePage.path,
  signIn: EVENTS_PAGE_ROUTES.getSignInPage.path,
  signOut: EVENTS_PAGE_ROUTES.signOut.path,
  consent: EVENTS_PAGE_ROUTES.getConsentPage.path,
  apps: EVENTS_PAGE_ROUTES.getAppsPage.path,
  events: EVENTS_PAGE_ROUTES.getEventsPage.path,
  subscriptions: EVENTS_PAGE_ROUTES.getSubscriptionsPage.path,
  settings: EVENTS_PAGE_ROUTES.getSettingsPage.path,
} as const;

/** A page with one of its things in the form. */
export function editAddress(path: string, id: string): string {
  return `${path}?edit=${encodeURIComponent(id)}`;
}
