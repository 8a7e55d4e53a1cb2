/** What the pages of links do: sign-in links, invitations and reset links. No other origin can send their JSON. */
import { SIGN_IN_LINK_REFUSED, type SignInLinkBody } from "../../contract/sign-in-link.ts";
import { WELCOME_REFUSED, type WelcomeBody, type WelcomeUsed } from "../../contract/welcome.ts";
import { rememberBrowser } from "../known-browsers.ts";
import { noteAccepted } from "../sign-in-history.ts";
import { redeemSignInLink } from "../sign-in-links.ts";
import { createWelcome, type Redeemed } from "./welcome.ts";
import type { AccountContext } from "./account-context.ts";
import {
  refuse,
  respond,
  type AccountRecords,
  type AccountRequest,
  type AccountResponse,
} from "./account-service.ts";
import { isSameOrigin } from "./checks.ts";
import { endSignIns } from "./end-sign-ins.ts";
import { readOrigin } from "./ways-in.ts";

export function createAccountLinkUse<Records extends AccountRecords>(
  context: AccountContext<Records>,
) {
  const { service, security, sessions, randomBytes, now } = context;
  const { knownBrowser, homePath } = service;
  const welcome = createWelcome(context);

  return {
    async redeemSignInLink(
      { link }: SignInLinkBody,
      request: AccountRequest,
    ): Promise<AccountResponse> {
      if (!isSameOrigin(request)) return refuse("csrf_failed");
      const use = { ...readOrigin(request, knownBrowser), link };
      const value = await redeemSignInLink(security, use, now(), randomBytes);
      return value === null
        ? refuse("authentication_failed", SIGN_IN_LINK_REFUSED)
        : respond({}, knownBrowser.keep(value));
    },

    async welcome(body: WelcomeBody, request: AccountRequest): Promise<AccountResponse> {
      if (!isSameOrigin(request)) return refuse("csrf_failed");
      const method = body.action === "passkey" ? "passkey" : "password";
      const result = await welcome(body, request.clientAddress(), (records, redeemed) =>
        open(records, redeemed, method, request),
      );
      switch (result.kind) {
        case "responded":
          return respond(result.body);
        case "refused":
          return refuse("authentication_failed", WELCOME_REFUSED);
        case "invalid":
          return refuse("invalid_request");
        case "granted": {
          const { known, cookies } = result.grant;
          const body: WelcomeUsed = { kind: "done", username: result.username, next: homePath };
          return respond(body, knownBrowser.keep(known), cookies);
        }
      }
    },
  };

  async function open(
    records: Records,
    { link, account }: Redeemed,
    method: "password" | "passkey",
    request: AccountRequest,
  ) {
    const { identity } = records;
    const { accountId } = account;
    if (link.kind === "reset") {
      await endSignIns(service, records, account, service.resetEndsAccess(link));
    } else {
      await service.onCreated?.(records, account, link.timeZone);
    }
    const origin = readOrigin(request, knownBrowser);
    const visit = { ...origin, purpose: link.kind, method };
    await noteAccepted(identity, visit, { accountId, isNew: true }, now());
    const { knownBrowser: kept } = origin;
    return {
      cookies: homePath === null ? [] : [await sessions.open(records, accountId, request)],
      known: await rememberBrowser(identity, kept, accountId, now(), randomBytes),
    };
  }
}
