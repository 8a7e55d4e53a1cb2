/** What the forms of the owner's page do. They need no script. */
import { ID_PATTERN } from "../../contract/identity.ts";
import {
  MAX_DEVICE_NAME_CHARACTERS,
  MAX_OWNER_BODY_BYTES,
} from "../../contract/sync/owner-values.ts";
import type { HttpError } from "../../http/http-error.ts";
import { readText } from "../../http/read-body.ts";
import type { RequestContext } from "../../http/request.ts";
import type { HttpResponse } from "../../http/response.ts";
import type { BrowserSession } from "../../identity/browser-sessions.ts";
import { isCrossSite } from "../../identity/csrf.ts";
import { toOwnerPage } from "./owner-address.ts";
import type { OwnerDependencies } from "./owner-dependencies.ts";
import type { ShowOwner } from "./show-owner.ts";

const FORM = { mediaType: "application/x-www-form-urlencoded", maxBytes: MAX_OWNER_BODY_BYTES };
const DEVICE_ID = new RegExp(ID_PATTERN);

type Action = (
  form: URLSearchParams,
  context: RequestContext,
  session: BrowserSession,
) => Promise<HttpResponse>;

export function createOwnerForms(dependencies: OwnerDependencies, show: ShowOwner) {
  const { store, security, tokens, sessions, csrf } = dependencies;

  const actions = new Map<string, Action>([
    [
      "name",
      async (form, context, session) => {
        const name = readName(form);
        if ([...name].length > MAX_DEVICE_NAME_CHARACTERS) {
          return show(context, session, "name-too-long");
        }
        const deviceId = readDevice(form);
        const isDone =
          deviceId !== null &&
          (await store.transaction((records) =>
            records.sessions.nameDevice(deviceId, name === "" ? null : name),
          ));
        return isDone
          ? toOwnerPage(context, "device-named")
          : show(context, session, "device-gone");
      },
    ],
    [
      "revoke",
      async (form, context, session) => {
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
    ],
    [
      "sign-out",
      async (_form, context) => toOwnerPage(context, "signed-out", [await sessions.close(context)]),
    ],
    [
      "sign-out-everywhere",
      async (_form, context) => {
        await tokens.revokeAll(context.clientAddress());
        return toOwnerPage(context, "signed-out-everywhere", [await sessions.close(context)]);
      },
    ],
  ]);

  return async (context: RequestContext): Promise<HttpResponse | HttpError> => {
    const body = await readText(context, FORM);
    if (body.kind !== "text") return body;
    const session = await sessions.find(context);
    if (session === null) return toOwnerPage(context);
    const form = new URLSearchParams(body.text);
    if (isCrossSite(context) || !csrf.isSessionToken(form.get("csrf") ?? "", session.sessionHash)) {
      return show(context, session, "outdated");
    }
    const act = actions.get(form.get("action") ?? "");
    return act === undefined
      ? { kind: "malformed-request", status: 400 }
      : act(form, context, session);
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

// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

function readName(form: URLSearchParams): string {
  return (form.get("name") ?? "").toWellFormed().replace(CONTROL, " ").trim();
}
