/** The owner's page, at `/` for browsers. Other clients see what was there before: nothing. */
import type { OWNER_ROUTES } from "../../contract/sync/owner-routes.ts";
import type { ChangePasswordBody } from "../../contract/sync/owner-schemas.ts";
import type { OwnerSignInNotice } from "../../contract/sync/page-views.ts";
import { LOGIN_PURPOSE } from "../../contract/sync/values.ts";
import { endLines } from "../../database/text-chunks.ts";
import type { Handlers } from "../../http/create-http-service.ts";
import type { HttpError } from "../../http/http-error.ts";
import { acceptsHtml, isOpenedElsewhere, type RequestContext } from "../../http/request.ts";
import { JSON_TYPE, type HttpResponse } from "../../http/response.ts";
import { encodeBase64Url } from "../../rules/base64url.ts";
import type { DeviceTokens } from "../devices/device-tokens.ts";
import { exportLines } from "../log/export-entities.ts";
import { handleAccount } from "../setup/account.ts";
import type { SyncDependencies } from "../setup/dependencies.ts";
import type { AccessGrant } from "../store.ts";
import { streamText } from "../log/stream-text.ts";
import { findQueryError, ownerFrame, readOwnerNotice, toOwnerPage } from "./owner-address.ts";
import { createOwnerForms } from "./owner-forms.ts";
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

export function createOwnerHandlers(
  dependencies: SyncDependencies,
  tokens: DeviceTokens,
): Handlers<typeof OWNER_ROUTES, AccessGrant> {
  const { store, account, randomBytes, onNotice, now } = dependencies;
  const { origin } = new URL(dependencies.baseUrl);
  const { sessions } = account;
  const pages = createOwnerPages(dependencies);
  const show = createShowOwner(dependencies, pages);
  const submit = createOwnerForms(dependencies, tokens, show);

  return {
    async getOwnerPage(_input, context) {
      const refused = refuse(context);
      if (refused !== null) return refused;
      const session = await sessions.find(context);
      return session === null ? showSignIn(context) : show(context, session);
    },
    changeOwner: (_input, context) => refuse(context) ?? submit(context),
    ownerSignIn: handleAccount(account.signIn),
    ownerPasskeySignIn: handleAccount(account.signInWithPasskey),
    changeOwnerPassword: handleAccount((body: ChangePasswordBody, request) =>
      account.changePassword(body, body.action === "complete" && body.signOutDevices, request),
    ),
    addOwnerPasskey: handleAccount(account.addPasskey),
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
      onNotice({ kind: "opened-elsewhere", requestId: context.requestId });
    }
    const { browser, cookies } = sessions.ensureBrowser(context);
    const interaction = encodeBase64Url(randomBytes(INTERACTION_BYTES));
    const view = {
      origin,
      interaction,
      csrf: account.csrf.signInToken(browser, interaction),
      purpose: LOGIN_PURPOSE,
      hasPasskeys: account.passkeys !== null,
      hasAccount: await store.hasAccount(),
      notice: readOwnerNotice(context, NOTICES),
    };
    const page = pages.signIn(view, ownerFrame(context));
    return { ...page, cookies };
  }
}
