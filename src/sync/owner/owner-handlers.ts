/** The owner's page, at `/` for browsers. Other clients see what was there before: nothing. */
import type { OWNER_ROUTES } from "../../contract/sync/owner-routes.ts";
import type { OwnerSignInNotice } from "../../contract/sync/page-views.ts";
import { LOGIN_PURPOSE } from "../../contract/sync/values.ts";
import { endLines } from "../../database/text-chunks.ts";
import type { Handlers } from "../../http/create-http-service.ts";
import type { HttpError } from "../../http/http-error.ts";
import { acceptsHtml, isOpenedElsewhere, type RequestContext } from "../../http/request.ts";
import { JSON_TYPE, type HttpResponse } from "../../http/response.ts";
import { createCsrfGuard } from "../../identity/csrf.ts";
import type { InstanceKey } from "../../identity/instance-key.ts";
import { encodeBase64Url } from "../../rules/base64url.ts";
import type { SyncQuota } from "../log/quota.ts";
import { exportLines } from "../log/export-entities.ts";
import type { AccessGrant } from "../store.ts";
import { streamText } from "../log/stream-text.ts";
import { findQueryError, ownerFrame, readOwnerNotice, toOwnerPage } from "./owner-address.ts";
import type { OwnerDependencies } from "./owner-dependencies.ts";
import { createOwnerForms } from "./owner-forms.ts";
import { createOwnerPasskeys } from "./owner-passkeys.ts";
import { createOwnerProofs } from "./owner-proofs.ts";
import type { OwnerSessions } from "./owner-sessions.ts";
import { createShowOwner } from "./show-owner.ts";
import { createOwnerPages } from "./web-pages.ts";

const INTERACTION_BYTES = 16;
const NOTICES = [
  "signed-out",
  "signed-out-everywhere",
  "sign-in-again",
  "everything-deleted",
] as const satisfies readonly OwnerSignInNotice[];
const NO_PAGE: HttpError = { kind: "unknown-path" };

export interface OwnerSettings extends Omit<
  OwnerDependencies,
  "sessions" | "csrf" | "pages" | "origin" | "maxBytes"
> {
  readonly instanceKey: InstanceKey;
  readonly ownerSessions: OwnerSessions;
  readonly baseUrl: string;
  readonly displayName: string;
  readonly quota?: SyncQuota | undefined;
}

export function createOwnerHandlers(
  settings: OwnerSettings,
): Handlers<typeof OWNER_ROUTES, AccessGrant> {
  const { origin } = new URL(settings.baseUrl);
  const { store, ownerSessions: sessions, now } = settings;
  const csrf = createCsrfGuard(settings.instanceKey, "sync/forms");
  const pages = createOwnerPages(settings);
  const maxBytes = settings.quota?.storage?.maxBytes ?? null;
  const dependencies: OwnerDependencies = { ...settings, sessions, csrf, pages, origin, maxBytes };
  const show = createShowOwner(dependencies);
  const passkeys = createOwnerPasskeys(dependencies, show);
  const submit = createOwnerForms(dependencies, show, passkeys.actions);

  return {
    async getOwnerPage(_input, context) {
      const refused = refuse(context);
      if (refused !== null) return refused;
      const session = await sessions.find(context);
      return session === null ? showSignIn(context) : show(context, session);
    },
    changeOwner: (_input, context) => refuse(context) ?? submit(context),
    ...createOwnerProofs(dependencies),
    ...passkeys.handlers,
    async exportEntities(_input, context) {
      if ((await sessions.find(context)) === null) return toOwnerPage(context);
      const at = now();
      return {
        status: 200,
        headers: {
          "Content-Type": JSON_TYPE,
          "Content-Disposition": `attachment; filename="sync-export-${new Date(at).toISOString().slice(0, 10)}.json"`,
        },
        body: await streamText(endLines(exportLines(store, at))),
      };
    },
  };

  function refuse(context: RequestContext): HttpError | null {
    return acceptsHtml(context) ? findQueryError(context) : NO_PAGE;
  }

  async function showSignIn(context: RequestContext): Promise<HttpResponse> {
    if (isOpenedElsewhere(context, origin)) {
      dependencies.onNotice({ kind: "opened-elsewhere", requestId: context.requestId });
    }
    const { browser, cookies } = sessions.ensureBrowser(context);
    const interaction = encodeBase64Url(dependencies.randomBytes(INTERACTION_BYTES));
    const view = {
      origin,
      interaction,
      csrf: csrf.signInToken(browser, interaction),
      purpose: LOGIN_PURPOSE,
      hasPasskeys: dependencies.passkeys !== null,
      hasAccount: await store.hasAccount(),
      notice: readOwnerNotice(context, NOTICES),
    };
    const page = pages.signIn(view, ownerFrame(context));
    return { ...page, cookies };
  }
}
