/** /account/apps: which apps may read the events, and how to end that. */
import { EVENTS_PAGE_ROUTES } from "../../contract/events/page-routes.ts";
import { redirectResponse } from "../../http/response.ts";
import { noticeAddress } from "../addresses.ts";
import type { EventsDependencies } from "../parts.ts";
import { createAccountPage, readNotice, type AccountPage } from "./account-page.ts";

const PATH = EVENTS_PAGE_ROUTES.getAppsPage.path;

export function createAppsPage(parts: EventsDependencies): AccountPage {
  const { store, clients, now } = parts;
  const nameOf = (clientId: string) => clients.find(({ id }) => id === clientId)?.name ?? clientId;

  return createAccountPage(parts, PATH, {
    async show({ session, frame }, { search }) {
      const grants = await store.reads.grants.list(now(), session.accountId);
      return parts.pages.apps(
        {
          grants: grants.map((grant) => ({
            grantId: grant.grantId,
            createdAt: grant.createdAt,
            lastUsedAt: grant.lastUsedAt,
            idleExpiresAt: grant.idleExpiresAt,
            absoluteExpiresAt: grant.absoluteExpiresAt,
            appName: nameOf(grant.clientId),
          })),
          notice: readNotice(search, ["revoked"]),
        },
        frame,
      );
    },
    actions: {
      async revoke({ session }, form) {
        await store.transaction(({ grants }) =>
          grants.revoke(form.text("grant"), session.accountId),
        );
        return redirectResponse(303, noticeAddress(PATH, "revoked"));
      },
      async "revoke-all"({ session }) {
        await store.transaction(({ grants }) => grants.revokeAll(session.accountId));
        return redirectResponse(303, noticeAddress(PATH, "revoked"));
      },
    },
  });
}
