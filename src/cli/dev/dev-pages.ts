/** What `trellis dev` serves beside the sync service: its pages, and sign-ins without a password. */
import { SYNC_ROUTES } from "../../contract/sync/routes.ts";
import type { HttpService } from "../../http/create-http-service.ts";
import { isKnownHost } from "../../http/known-host.ts";
import { readText } from "../../http/read-body.ts";
import { createRequestId, type RawRequest } from "../../http/request.ts";
import { completeResponse, redirectResponse, type CompleteResponse } from "../../http/response.ts";
import { createSecurityHeaders } from "../../http/service-hooks.ts";
import { splitTarget } from "../../http/target.ts";
import { createCookie } from "../../identity/browser-sessions.ts";
import { isSameSecret } from "../../identity/one-time-secrets.ts";
import { createSecret } from "../../rules/create-secret.ts";
import { randomBytes } from "../../rules/web-crypto.ts";
import type { Authorize } from "../../../examples/demo/play-person.ts";
import { createSiteService } from "../../server/site-service.ts";
import { buildDevSite, DEV_PATH, NOTES_PATH } from "./dev-site.ts";

export interface DevPagesSettings {
  readonly baseUrl: string;
  /** The page to which the link leads. */
  readonly appUrl: string;
  /** The secret of the link. */
  readonly secret: string;
  /** Signs in as the account, in the place of the person who opened the link. */
  readonly authorize: Authorize;
}

const MAX_SECRET_BYTES = 256;
const SECURITY_HEADERS = createSecurityHeaders(false);

export function createDevPages({ baseUrl, appUrl, secret, authorize }: DevPagesSettings) {
  const site = buildDevSite(appUrl);
  const files = createSiteService(() => site);
  // A browser sends the cookie to every port of localhost: it is neither the password nor the secret of the link.
  const session = createSecret(randomBytes);
  const cookie = createCookie({
    name: `trellis-dev-${new URL(baseUrl).port}`,
    isHttps: false,
    // Another site cannot begin a sign-in; the pages of localhost are the same site on every port.
    sameSite: "Strict",
  });

  async function redeemLink(request: RawRequest): Promise<CompleteResponse> {
    const body = await readText(request, { mediaType: "text/plain", maxBytes: MAX_SECRET_BYTES });
    const isOurs = body.kind === "text" && isSameSecret(body.text, secret);
    return complete({
      status: isOurs ? 204 : 403,
      headers: {},
      ...(isOurs && { cookies: [cookie.write(session)] }),
      body: null,
    });
  }

  /** Null when the browser has not opened the link, or the service has to say what is wrong. */
  async function signIn(request: RawRequest): Promise<CompleteResponse | null> {
    if (!isSameSecret(cookie.read(request) ?? "", session)) return null;
    try {
      return complete(redirectResponse(302, await authorize(new URL(request.target, baseUrl))));
    } catch {
      return null;
    }
  }

  return (http: HttpService): HttpService => ({
    ...http,
    async respond(request) {
      if (!isKnownHost(request.header("host"))) return unknownHost();
      const { path } = splitTarget(request.target);
      if (path === DEV_PATH && request.method === "POST") return redeemLink(request);
      if (path === DEV_PATH || path.startsWith(NOTES_PATH)) return files.respond(request);
      const isSignIn = request.method === "GET" && path === SYNC_ROUTES.getAuthorizePage.path;
      return (isSignIn ? await signIn(request) : null) ?? http.respond(request);
    },
  });
}

/** A site that points its own name here would edit what a maker tries out. */
function unknownHost(): CompleteResponse {
  return complete({
    status: 421,
    headers: { "Content-Type": "text/plain; charset=utf-8" },
    body: "trellis dev responds at localhost and at IP addresses, not at other names.\n",
  });
}

function complete(response: Parameters<typeof completeResponse>[0]): CompleteResponse {
  return completeResponse(response, SECURITY_HEADERS, createRequestId());
}
