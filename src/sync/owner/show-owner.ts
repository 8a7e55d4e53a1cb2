import { DAY_MS } from "../../contract/durations.ts";
import { OWNER_IDLE_SECONDS } from "../../contract/sync/owner-values.ts";
import type { OwnerBrowser, OwnerUsage, OwnerView } from "../../contract/sync/page-views.ts";
import { LOGIN_PURPOSE } from "../../contract/sync/values.ts";
import type { RequestContext } from "../../http/request.ts";
import type { HttpResponse } from "../../http/response.ts";
import { isFresh, type BrowserSession } from "../../identity/browser-sessions.ts";
import type { PasskeyRecord } from "../../identity/passkeys/passkey-records.ts";
import { refreshExpiry } from "../devices/session-tokens.ts";
import type { ListedDevice, StoreUsage, SyncRecords } from "../store.ts";
import { ownerFrame, readOwnerNotice } from "./owner-address.ts";
import type { OwnerDependencies } from "./owner-dependencies.ts";

/** How many days the picture of operations shows. */
const SHOWN_DAYS = 30;

const NOTICES = [
  "device-named",
  "device-signed-out",
  "browser-signed-out",
  "password-changed",
  "password-set",
  "passkey-added",
  "passkey-named",
  "passkey-removed",
] as const satisfies readonly OwnerView["notice"][];

export type ShowOwner = (
  context: RequestContext,
  session: BrowserSession,
  error?: OwnerView["error"],
) => Promise<HttpResponse>;

export function createShowOwner(dependencies: OwnerDependencies): ShowOwner {
  const { store, csrf, pages, now } = dependencies;

  return async (context, session, error = null) => {
    const { username, sessionHash } = session;
    const at = now();
    const from = at - (at % DAY_MS) - (SHOWN_DAYS - 1) * DAY_MS;
    const [account, usage, backups] = await Promise.all([
      store.transaction((records) => readAccount(records, session, at)),
      store.readUsage(from),
      dependencies.readBackups(),
    ]);
    const hasPasskeys = dependencies.passkeys !== null;
    const view: OwnerView = {
      username,
      csrf: csrf.sessionToken(sessionHash),
      interaction: csrf.passwordInteraction(sessionHash),
      purpose: LOGIN_PURPOSE,
      isFresh: isFresh(session, at),
      hasPassword: account.hasPassword,
      devices: account.devices.map(toDevice).toSorted((a, b) => b.lastUsedAt - a.lastUsedAt),
      browsers: account.browsers.map((browser) => toBrowser(browser, session)),
      passkeys: hasPasskeys
        ? { passkeys: account.passkeys.map(toPasskey), isFresh: isFresh(session, at) }
        : null,
      signIns: account.signIns,
      usage: { ...fillDays(usage, from), maxBytes: dependencies.maxBytes },
      isSealed: dependencies.profile === "sealed",
      backups,
      notice: error === null ? readOwnerNotice(context, NOTICES) : null,
      error,
    };
    const status = error === null ? 200 : error === "outdated" ? 403 : 400;
    return pages.owner(status, view, ownerFrame(context));
  };
}

/** What the store has of the account, as of one moment. */
async function readAccount(
  { identity, sessions, browserSessions }: SyncRecords,
  { accountId, username }: BrowserSession,
  now: number,
) {
  return {
    hasPassword: (await identity.findAccount(username))?.hasPassword ?? true,
    devices: await sessions.list(now),
    browsers: await browserSessions.list(accountId, now),
    passkeys: await identity.listPasskeys(accountId),
    signIns: await identity.listSignIns(accountId),
  };
}

function toDevice(session: ListedDevice) {
  const { deviceId, name, createdAt, lastUsedAt } = session;
  return { deviceId, name, createdAt, lastUsedAt, expiresAt: refreshExpiry(session) };
}

/** A part of the session's hash, which opens nothing. */
export function browserId({ sessionHash }: Pick<BrowserSession, "sessionHash">): string {
  return sessionHash.slice(0, 16);
}

function toBrowser(
  session: Omit<BrowserSession, "username">,
  { sessionHash }: BrowserSession,
): OwnerBrowser {
  const { browser, system, createdAt, idleExpiresAt } = session;
  return {
    id: browserId(session),
    browser,
    system,
    isThis: session.sessionHash === sessionHash,
    createdAt,
    lastUsedAt: idleExpiresAt - OWNER_IDLE_SECONDS * 1000,
  };
}

function toPasskey({ credentialId, name, createdAt, lastUsedAt }: PasskeyRecord) {
  return { credentialId, name, createdAt, lastUsedAt };
}

/** The store leaves days without operations out. */
function fillDays({ bytes, days }: StoreUsage, from: number): Omit<OwnerUsage, "maxBytes"> {
  const counts = new Map(days.map(({ startsAt, operations }) => [startsAt, operations]));
  return {
    bytes,
    days: Array.from({ length: SHOWN_DAYS }, (_, index) => {
      const startsAt = from + index * DAY_MS;
      return { startsAt, operations: counts.get(startsAt) ?? 0 };
    }),
  };
}
