/**
 * The sessions of the owner's page. Strict cookies: nothing links to the page from elsewhere. No route
 * under `/v1` reads a cookie.
 */
import { OWNER_ABSOLUTE_SECONDS, OWNER_IDLE_SECONDS } from "../../contract/sync/owner-values.ts";
import { createBrowserSessions } from "../../identity/browser-sessions.ts";
import type { RandomBytes } from "../../rules/web-crypto.ts";
import type { SyncRecords, SyncStore } from "../store.ts";

export interface OwnerSessionSettings {
  readonly store: SyncStore;
  readonly isHttps: boolean;
  readonly randomBytes: RandomBytes;
  now(): number;
}

export type OwnerSessions = ReturnType<typeof createOwnerSessions>;

export function createOwnerSessions({ store, ...settings }: OwnerSessionSettings) {
  return createBrowserSessions<Pick<SyncRecords, "browserSessions">>({
    ...settings,
    store: { transaction: store.transaction, findSession: store.findBrowserSession },
    name: "trellis-sync-owner",
    sameSite: "Strict",
    idleSeconds: OWNER_IDLE_SECONDS,
    absoluteSeconds: OWNER_ABSOLUTE_SECONDS,
    namesBrowsers: true,
    recordsOf: ({ browserSessions }) => browserSessions,
  });
}
