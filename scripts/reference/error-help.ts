/** Why each error code is sent, and what to do about it: the words of `docs/reference/errors/`. */
import type { AuthorizationErrorCode, EventsErrorCode } from "../../src/contract/events/errors.ts";
import type { ReleaseErrorCode } from "../../src/contract/release/errors.ts";
import type { SyncErrorCode } from "../../src/contract/sync/errors.ts";

export interface ErrorHelp {
  readonly why: string;
  readonly action: string;
}

const BUG: ErrorHelp = {
  why: "the service has a bug",
  action:
    "find `unexpected_error` with the request id in the log, and [report it](../../../SECURITY.md)",
};
const WRONG_APP = "update the app";
const ORIGIN_ALONE =
  "correct the address in the app: it is the origin alone, such as `https://service.example.com`";
const WRONG_PATH = "another path, a trailing slash, or a proxy that adds a folder";
const WRONG_METHOD: ErrorHelp = {
  why: "a known path with another method",
  action: "tell the app's maker; `Allow` lists the methods",
};

export const RELEASE_HELP: Readonly<Record<ReleaseErrorCode, ErrorHelp>> = {
  invalid_pagination: {
    why: "a number is out of range, or is not a plain decimal",
    action: "correct it in the program that sends it",
  },
  invalid_channel: {
    why: "`channel` has an unknown value, or is given twice",
    action: "omit it for `stable`",
  },
  invalid_update_request: {
    why: "platform, version or build is missing or wrong",
    action: "send all three of the running app: a version of three numbers, a build from 1 on",
  },
  not_found: {
    why: "the path has a wrong case, a trailing slash or a broken escape; a proxy changed it; the method is not `GET`; or the address is over 8 KiB (414)",
    action:
      "compare with [the routes](../../protocol/release.md#routes); make the proxy pass the path unchanged",
  },
  release_not_found: {
    why: "the version is a draft, was withdrawn, is on the other channel, or does not exist; or nothing is published yet",
    action: "`trellis release list`; publish it, or ask for the other channel",
  },
  platform_not_supported: {
    why: "the link names another platform, such as `ios`",
    action: "correct the link; an iPhone gets its app from the store",
  },
  artifact_not_found: {
    why: "the newest release has no file for that platform and architecture",
    action:
      "`trellis release show VERSION`; add the platform as a target, so that no incomplete release is published",
  },
  manifest_unavailable: {
    why: "nothing has been signed, or the catalogue on the server has no `manifest.json`; apps cannot confirm that they are up to date",
    action:
      "`trellis release publish` or `trellis release sign`, then copy the whole catalogue to the server; `trellis release verify URL`",
  },
  internal_error: BUG,
};

export const SYNC_HELP: Readonly<Record<SyncErrorCode, ErrorHelp>> = {
  invalid_request: {
    why: "a parameter or member that the route does not take, or a wrong value; the message names it",
    action: "update the app; its maker compares with [the routes](../../protocol/sync.md#routes)",
  },
  invalid_json: {
    why: "the body is not JSON, not UTF-8, or has a name twice in one object",
    action: "tell the app's maker, or correct the proxy that changes bodies",
  },
  invalid_authorization_request: {
    why: "the sign-in page was opened from a bookmark, or the app's redirect URI is not on the list",
    action:
      "start again from the app. If it happens again, the log has `redirect_not_listed` and the address of the page has the URI: add exactly that to `sync.redirectUris`",
  },
  invalid_grant: {
    why: "the code is over 60 seconds old, used, or of another sign-in; or, with `too_many_devices` in the log, the quota of devices is reached",
    action:
      "sign in again. If you did not use the code before (`code_replayed` in the log), change the password. Quota: sign a device out on the owner's page, or allow more (`quota.devices`)",
  },
  unsupported_grant_type: { why: "the app asks for another kind of sign-in", action: WRONG_APP },
  invalid_cursor: {
    why: "the device kept a broken position; the app reads from the first page again",
    action: "nothing; if the app shows it, update the app",
  },
  invalid_sync_operation: {
    why: "some changes break a rule of the instance's profile; the app sets them aside and lists them with the rule",
    action:
      "correct or discard them. If all are refused, app and server have different profiles: `sync.profile`",
  },
  authentication_failed: {
    why: "the user name or the password is wrong, or the sign-in took too long; the response does not say which, so that strangers learn nothing",
    action:
      "try again from the app. Forgotten: `trellis sync account password` on the server. If the right password fails, the instance key may be another one: `trellis doctor`",
  },
  invalid_access_token: {
    why: "it is older than five minutes, or the device was signed out; the app renews it by itself",
    action: "nothing; if the app then asks for a sign-in, the device was signed out",
  },
  invalid_refresh_token: {
    why: "the device was signed out, was away for 60 days, or a copy of its token was used; everything on the device stays",
    action:
      "sign in. With `refresh_token_reused` in the log and a network that is not yours, change the password",
  },
  csrf_failed: {
    why: "the page was opened at another address than `sync.baseUrl` (`page_opened_elsewhere` in the log), or inside another page",
    action: "open it from the app; set `sync.baseUrl` to the address that people use",
  },
  cors_denied: {
    why: "the origin of a web app is not listed; its console names CORS, and the log has `origin_refused` with the origin",
    action: "add it to `sync.corsOrigins`: scheme, host and port, without a path",
  },
  key_replaced: {
    why: "another device replaced the key of the encrypted account; changes stay on this one",
    action: "enter the new recovery key",
  },
  key_unknown: {
    why: "the device does not have the key of the encrypted account, or the store was restored from a time before it",
    action: "enter the recovery key; after a restore that of its time",
  },
  not_found: { why: WRONG_PATH, action: ORIGIN_ALONE },
  method_not_allowed: WRONG_METHOD,
  operation_conflict: {
    why: "a device was cloned, or its storage was rolled back; the app sets the changes aside",
    action:
      "retry them in the app, which sends them under new ids. On a clone, sign out with the data erased and sign in again, so that it gets a device id of its own",
  },
  too_many_keys: {
    why: "the key was replaced 1,000 times",
    action: "copy the data to a new account",
  },
  payload_too_large: {
    why: "the body is over the limit of the instance, or of a proxy; the app sends less at once, and shows an error when one change is too large",
    action: "let the proxy pass 256 KiB, or what `/v1/capabilities` says",
  },
  request_target_too_large: {
    why: "an address of more than 8 KiB",
    action: "tell the app's maker",
  },
  unsupported_media_type: {
    why: "the body is not `application/json`, or is compressed",
    action: "tell the app's maker, or correct the proxy that compresses requests",
  },
  rate_limited: {
    why: "five sign-ins failed, or too many were begun from one network; the page counts down",
    action:
      "wait, or create a link for a new device: `trellis sync sign-in-link`. If it affects everyone, `trustedProxies` does not name the proxy, so all clients count as one",
  },
  internal_error: BUG,
  storage_unavailable: {
    why: "the disk is full, another process holds the store, PostgreSQL is unavailable, or more bodies arrive than memory allows; the app keeps changes and tries again",
    action:
      "`storage_unavailable` in the log has the reason; free the disk or start the database. No restart is needed",
  },
  quota_exceeded: {
    why: "the instance has reached `sync.quota.bytes`, or its own quota; the app keeps changes",
    action:
      "the operator allows more (`quota.bytes`, or `trellis sync instance change NAME --quota-bytes N`) or runs `trellis sync compact`; the app continues by itself within a minute",
  },
};

export const EVENTS_HELP: Readonly<Record<EventsErrorCode, ErrorHelp>> = {
  invalid_request: {
    why: "a parameter is missing, wrong or given twice; the message names it. Also a body (413) or an address (414) that is too long",
    action:
      "update the app. If a page says so at once, the log has `redirect_not_listed`: add exactly that URI to the client's `redirectUris`",
  },
  invalid_grant: {
    why: "the code is older than 60 seconds, was used, or its access was revoked meanwhile",
    action: "connect again",
  },
  unsupported_grant_type: { why: "the app asks for another grant type", action: WRONG_APP },
  interaction_expired: {
    why: "ten minutes passed, the browser went back to a used page, or cookies are blocked",
    action: "start again from the app, in one browser",
  },
  invalid_client: {
    why: "the client id is not configured, or the app sends HTTP Basic",
    action: "add the app to `events.clients`; clients are public and send no secret",
  },
  invalid_token: {
    why: "the access was revoked, was not used for 180 days, is a year old, or the client was removed",
    action: "connect again",
  },
  authentication_failed: {
    why: "the user name or the password is wrong, or the sign-in took too long; the response does not say which, so that strangers learn nothing",
    action: "try again; forgotten: `trellis events account password --username NAME` on the server",
  },
  insufficient_scope: { why: "the token does not have `read:events`", action: "connect again" },
  csrf_failed: {
    why: "the page is old, or was opened at another address than `events.baseUrl`",
    action: "reload the page and repeat; set `events.baseUrl` to the address that people use",
  },
  not_found: { why: WRONG_PATH, action: ORIGIN_ALONE },
  method_not_allowed: WRONG_METHOD,
  temporarily_unavailable: {
    why: "a limit of `events.limits` is reached, sign-ins failed, or the store cannot be used (503)",
    action:
      "wait, or `trellis events sign-in-link`. If it affects everyone, `trustedProxies` lacks the proxy; for 503 see `storage_unavailable` in the log",
  },
  server_error: BUG,
};

/** Those that only a redirect to the app has. */
export const REDIRECT_HELP: Readonly<
  Record<Exclude<AuthorizationErrorCode, "invalid_request">, ErrorHelp>
> = {
  unsupported_response_type: {
    why: "the app asks for another `response_type` than `code`",
    action: WRONG_APP,
  },
  invalid_scope: { why: "the app asks for more than `read:events`", action: WRONG_APP },
  access_denied: {
    why: "the person denied it",
    action: "connect again and allow it, if that was a mistake",
  },
};
