import { DAY_MS } from "../../contract/durations.ts";
import type { OwnerUsage, OwnerView } from "../../contract/sync/page-views.ts";
import type { RequestContext } from "../../http/request.ts";
import type { HttpResponse } from "../../http/response.ts";
import { isFresh, type BrowserSession } from "../../identity/browser-sessions.ts";
import { refreshExpiry } from "../devices/session-tokens.ts";
import type { OwnerPages } from "../pages.ts";
import type { SyncDependencies } from "../setup/dependencies.ts";
import type { ListedDevice, StoreUsage } from "../store.ts";
import { ownerFrame, readOwnerNotice } from "./owner-address.ts";

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

export function createShowOwner(dependencies: SyncDependencies, pages: OwnerPages): ShowOwner {
  const { store, account, profile, quota, readBackups, now } = dependencies;
  const maxBytes = quota?.storage?.maxBytes ?? null;

  return async (context, session, error = null) => {
    const { username, sessionHash } = session;
    const at = now();
    const from = at - (at % DAY_MS) - (SHOWN_DAYS - 1) * DAY_MS;
    const [{ devices, ...ofAccount }, usage, backups] = await Promise.all([
      // What the store has of the account, as of one moment.
      store.transaction(async ({ identity, sessions, browserSessions }) => ({
        devices: await sessions.list(at),
        browsers: await account.listBrowsers(browserSessions, session),
        ...(await account.viewWaysIn(identity, session)),
      })),
      store.readUsage(from),
      readBackups(),
    ]);
    const view: OwnerView = {
      username,
      csrf: account.csrf.sessionToken(sessionHash),
      isFresh: isFresh(session, at),
      ...ofAccount,
      devices: devices.map(toDevice).toSorted((a, b) => b.lastUsedAt - a.lastUsedAt),
      usage: { ...fillDays(usage, from), maxBytes },
      isSealed: profile === "sealed",
      backups,
      notice: error === null ? readOwnerNotice(context, NOTICES) : null,
      error,
    };
    const status = error === null ? 200 : error === "outdated" ? 403 : 400;
    return pages.owner(status, view, ownerFrame(context));
  };
}

function toDevice(session: ListedDevice) {
  const { deviceId, name, createdAt, lastUsedAt } = session;
  return { deviceId, name, createdAt, lastUsedAt, expiresAt: refreshExpiry(session) };
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
