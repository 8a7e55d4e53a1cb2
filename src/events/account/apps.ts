/** /account/apps: the apps with access, and its revocation. */
import { EVENTS_PAGE_ROUTES } from "../../contract/events/page-routes.ts";
import type { EventsDependencies } from "../setup/dependencies.ts";
import { revokeAllAccess } from "../oauth/grants.ts";
import { createAccountPage, type AccountPage } from "./account-page.ts";
import { noticeResponse, readNotice } from "./notices.ts";

const PATH = EVENTS_PAGE_ROUTES.getAppsPage.path;

export function createAppsPage(dependencies: EventsDependencies): AccountPage {
  const { store, clients, now } = dependencies;
  const nameOf = (clientId: string) => clients.find(({ id }) => id === clientId)?.name ?? clientId;

  return createAccountPage(dependencies, PATH, {
    async show({ session, frame }, { search }) {
      const grants = await store.reads.grants.list(now(), session.accountId);
      return dependencies.pages.apps(
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
        return noticeResponse(PATH, "revoked");
      },
      async "revoke-all"({ session }) {
        await store.transaction((records) => revokeAllAccess(records, session));
        return noticeResponse(PATH, "revoked");
      },
    },
  });
}
