/** Asks the server before the person leaves the app for its sign-in page: a wrong address must not take them away. */
import { isObject } from "../../contract/is-object.ts";
import { PROTOCOL_VERSION } from "../../contract/sync/values.ts";
import { syncError } from "./errors.ts";
import { requestSync, type RequestFailure } from "./request.ts";
import type { NotSignedIn, SignInError } from "./results.ts";
import type { SyncSettings } from "./settings.ts";
import { fetchCapabilities, type ServerCapabilities } from "./transfer-limits.ts";

/** The capabilities of a server that this app can sign in to. */
export async function checkServer(
  settings: SyncSettings,
  signal: AbortSignal,
): Promise<ServerCapabilities | NotSignedIn> {
  const info = await requestSync(settings, { path: "/v1/instance-info", signal });
  if (info.kind === "failed") return notSignedIn(explainFailure(settings, info));
  if (info.value["protocolVersion"] !== PROTOCOL_VERSION) {
    return notSignedIn(syncError("not-a-sync-server"));
  }
  const capabilities = await fetchCapabilities(settings, signal);
  return capabilities.kind === "failed"
    ? notSignedIn(explainFailure(settings, capabilities))
    : capabilities;
}

/** Null unless the server says that it does not list the redirect URI; its page says everything else. */
export async function findPageError(
  settings: SyncSettings,
  pagePath: string,
  signal: AbortSignal,
): Promise<SignInError | null> {
  const page = await requestSync(settings, { path: pagePath, signal });
  // The other parameters are ours, and well-formed.
  if (page.kind !== "failed" || page.code !== "invalid_authorization_request") return null;
  return {
    kind: "redirect-not-listed",
    message: `The sync server does not list the redirect URI of this app: its operator adds "${settings.redirectUri}" to sync.redirectUris`,
  };
}

function explainFailure({ baseUrl }: SyncSettings, { error, status }: RequestFailure): SignInError {
  // Every sync server has both routes.
  if (status === 404) return syncError("not-a-sync-server");
  if (error.kind !== "unreachable") return error;
  const origin = pageOrigin(baseUrl);
  const page = origin === null ? "the origin of the page" : `the origin "${origin}" of this page`;
  return {
    ...error,
    message: `The sync server ${baseUrl} cannot be reached: the address is wrong, the server is down, or, in a browser, its sync.corsOrigins lacks ${page}`,
  };
}

/** A browser hides why the response is missing, but the sign-in page of the server has worked. */
export function explainTokenFailure(
  { baseUrl }: SyncSettings,
  { error }: RequestFailure,
): SignInError {
  const origin = pageOrigin(baseUrl);
  if (error.kind !== "unreachable" || origin === null) return error;
  return {
    kind: "cors-missing",
    origin,
    message: `The sync server does not allow this page: its operator adds "${origin}" to sync.corsOrigins`,
  };
}

/** The origin of the page in a browser, where it is not that of the server; null elsewhere. */
function pageOrigin(baseUrl: string): string | null {
  const { location } = globalThis as { location?: unknown };
  const origin = isObject(location) ? location["origin"] : null;
  return typeof origin === "string" && origin !== new URL(baseUrl).origin ? origin : null;
}

export function notSignedIn(error: SignInError): NotSignedIn {
  return { kind: "not-signed-in", error };
}
