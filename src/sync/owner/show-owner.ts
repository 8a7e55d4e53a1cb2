import { DAY_MS } from "../../contract/durations.ts";
import type { OwnerUsage, OwnerView } from "../../contract/sync/page-views.ts";
import { LOGIN_PURPOSE } from "../../contract/sync/values.ts";
import type { RequestContext } from "../../http/request.ts";
import type { HttpResponse } from "../../http/response.ts";
import type { BrowserSession } from "../../identity/browser-sessions.ts";
import { refreshExpiry } from "../devices/session-tokens.ts";
import type { StoreUsage } from "../store.ts";
import { readChosenLanguage, readOwnerNotice } from "./owner-address.ts";
import type { OwnerDependencies } from "./owner-dependencies.ts";

/** How many days the picture of operations shows. */
const SHOWN_DAYS = 30;

const NOTICES = ["device-named", "device-signed-out", "password-changed"] as const;

export type ShowOwner = (
  context: RequestContext,
  session: BrowserSession,
  error?: OwnerView["error"],
) => Promise<HttpResponse>;

export function createShowOwner(dependencies: OwnerDependencies): ShowOwner {
  const { store, csrf, pages, now } = dependencies;

  return async (context, { username, sessionHash }, error = null) => {
    const at = now();
    const from = at - (at % DAY_MS) - (SHOWN_DAYS - 1) * DAY_MS;
    const [sessions, usage, backups] = await Promise.all([
      store.transaction((records) => records.sessions.list(at)),
      store.readUsage(from),
      dependencies.readBackups(),
    ]);
    const devices = sessions.map((session) => ({
      deviceId: session.deviceId,
      name: session.name,
      createdAt: session.createdAt,
      lastUsedAt: session.lastUsedAt,
      expiresAt: refreshExpiry(session),
    }));
    const view: OwnerView = {
      username,
      csrf: csrf.sessionToken(sessionHash),
      interaction: csrf.passwordInteraction(sessionHash),
      purpose: LOGIN_PURPOSE,
      devices: devices.toSorted((a, b) => b.lastUsedAt - a.lastUsedAt),
      usage: { ...fillDays(usage, from), maxBytes: dependencies.maxBytes },
      isSealed: dependencies.profile === "sealed",
      backups,
      notice: error === null ? readOwnerNotice(context, NOTICES) : null,
      error,
    };
    const status = error === null ? 200 : error === "outdated" ? 403 : 400;
    return pages.owner(status, view, { chosen: readChosenLanguage(context), request: context });
  };
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
