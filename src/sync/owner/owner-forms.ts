/** What the forms of the owner's page do. They need no script. */
import { ID_PATTERN } from "../../contract/identity.ts";
import { MAX_DEVICE_NAME_CHARACTERS } from "../../contract/sync/device-name.ts";
import { MAX_OWNER_BODY_BYTES } from "../../contract/sync/owner-values.ts";
import type { HttpError } from "../../http/http-error.ts";
import { readText } from "../../http/read-body.ts";
import type { RequestContext } from "../../http/request.ts";
import type { HttpResponse } from "../../http/response.ts";
import { isFresh, type BrowserSession } from "../../identity/browser-sessions.ts";
import { cleanDeviceName } from "../../rules/sync/device-name.ts";
import type { PasskeyFormResult } from "../../identity/account/account-passkeys.ts";
import type { DeviceTokens } from "../devices/device-tokens.ts";
import type { SyncDependencies } from "../setup/dependencies.ts";
import { deleteEverything } from "./delete-everything.ts";
import { toOwnerPage } from "./owner-address.ts";
import type { ShowOwner } from "./show-owner.ts";

const FORM = { mediaType: "application/x-www-form-urlencoded", maxBytes: MAX_OWNER_BODY_BYTES };
const DEVICE_ID = new RegExp(ID_PATTERN);

type OwnerAction = (
  form: URLSearchParams,
  context: RequestContext,
  session: BrowserSession,
) => Promise<HttpResponse>;

type OwnerActions = Readonly<Record<string, OwnerAction>>;

export function createOwnerForms(
  dependencies: SyncDependencies,
  tokens: DeviceTokens,
  show: ShowOwner,
) {
  const { checks } = dependencies.account;
  const actions = new Map(
    Object.entries({
      ...deviceActions(dependencies, show),
      ...sessionActions(dependencies, tokens, show),
      ...passkeyActions(dependencies, show),
    }),
  );

  return async (context: RequestContext): Promise<HttpResponse | HttpError> => {
    const body = await readText(context, FORM);
    if (body.kind !== "text") return body;
    const form = new URLSearchParams(body.text);
    const check = await checks.checkSession(form.get("csrf") ?? "", context);
    if (check.kind === "signed-out") return toOwnerPage(context);
    const { session } = check;
    if (check.kind !== "verified") return show(context, session, "outdated");
    const act = actions.get(form.get("action") ?? "");
    return act === undefined ? { kind: "malformed-request" } : act(form, context, session);
  };
}

function deviceActions(
  { store, account: { security } }: SyncDependencies,
  show: ShowOwner,
): OwnerActions {
  return {
    async name(form, context, session) {
      const name = cleanDeviceName(form.get("name") ?? "");
      if ([...name].length > MAX_DEVICE_NAME_CHARACTERS) {
        return show(context, session, "name-too-long");
      }
      const deviceId = readDevice(form);
      const isDone =
        deviceId !== null &&
        (await store.transaction((records) =>
          records.sessions.nameDevice(deviceId, name === "" ? null : name),
        ));
      return isDone ? toOwnerPage(context, "device-named") : show(context, session, "device-gone");
    },
    async revoke(form, context, session) {
      const deviceId = readDevice(form);
      const isDone =
        deviceId !== null &&
        (await security.transaction(async (records, note) => {
          const isRevoked = await records.sessions.revokeDevice(deviceId);
          if (isRevoked) await note("device-signed-out", context.clientAddress());
          return isRevoked;
        }));
      return isDone
        ? toOwnerPage(context, "device-signed-out")
        : show(context, session, "device-gone");
    },
  };
}

function sessionActions(
  { account, now }: SyncDependencies,
  tokens: DeviceTokens,
  show: ShowOwner,
): OwnerActions {
  const { sessions, checks } = account;
  const closeWith =
    (notice: string): OwnerAction =>
    async (_form, context) =>
      toOwnerPage(context, notice, [await sessions.close(context)]);

  return {
    "sign-out": closeWith("signed-out"),
    /** What needs a recent sign-in leads here. */
    "sign-in-again": closeWith("sign-in-again"),
    async "sign-out-browser"(form, context, session) {
      return (await account.signOutBrowser(session, form.get("browser"), context))
        ? toOwnerPage(context, "browser-signed-out")
        : show(context, session, "browser-gone");
    },
    async "sign-out-everywhere"(form, context, session) {
      await tokens.revokeAll(context.clientAddress());
      return closeWith("signed-out-everywhere")(form, context, session);
    },
    async "delete-everything"(form, context, session) {
      if (!isFresh(session, now())) return show(context, session, "not-fresh");
      const typed = (form.get("name") ?? "").normalize("NFC").trim();
      if (typed !== session.username) return show(context, session, "name-differs");
      const deleted = await checks.changeInSession(session, async (records, note) => {
        await deleteEverything(records);
        await note("everything-deleted", context.clientAddress());
        return closeWith("everything-deleted");
      });
      return deleted === null ? toOwnerPage(context) : deleted(form, context, session);
    },
  };
}

function passkeyActions({ account }: SyncDependencies, show: ShowOwner): OwnerActions {
  const { passkeyForms } = account;
  if (passkeyForms === null) return {};
  const respond = (
    context: RequestContext,
    session: BrowserSession,
    result: PasskeyFormResult,
  ): HttpResponse | Promise<HttpResponse> => {
    switch (result.kind) {
      case "done":
        return toOwnerPage(context, result.notice);
      case "refused":
        return show(context, session, result.error);
      case "signed-out":
        return toOwnerPage(context);
    }
  };
  const passkeyOf = (form: URLSearchParams) => form.get("passkey") ?? "";
  return {
    async "name-passkey"(form, context, session) {
      const named = { session, passkey: passkeyOf(form) };
      return respond(context, session, await passkeyForms.name(named, form.get("name") ?? ""));
    },
    async "remove-passkey"(form, request, session) {
      const removed = { session, passkey: passkeyOf(form), request };
      return respond(request, session, await passkeyForms.remove(removed));
    },
  };
}

/**
 * The device id of a form; null for a text that no device can have, some of which PostgreSQL would
 * refuse.
 */
function readDevice(form: URLSearchParams): string | null {
  const deviceId = form.get("device") ?? "";
  return DEVICE_ID.test(deviceId) ? deviceId : null;
}
