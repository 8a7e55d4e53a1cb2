/**
 * A proxy on this machine. Trellis speaks http only, so a service whose public address is https and
 * whose listener is on loopback has one. Every connection then comes from loopback, and without trust
 * in the proxy all clients count as one: a stranger's failed sign-ins lock out the owner.
 */
import { isIPv4 } from "node:net";
import { isLoopback } from "../contract/loopback.ts";
import { createProxyCheck, plainAddress } from "../http/client-address.ts";
import type { HttpService } from "../http/create-http-service.ts";
import type { RawRequest } from "../http/request.ts";
import type { LineWriter } from "../http/request-log.ts";
import { listListeners } from "../configuration/list-listeners.ts";
import type { Configuration } from "../configuration/configuration-schema.ts";

/** The addresses from which a proxy on this machine connects. */
export const LOCAL_PROXIES: readonly string[] = ["127.0.0.1", "::1"];

export interface ProxiedAddress {
  /** The key of the public address. */
  readonly key: string;
  /** The addresses from which the proxy connects to this listener. */
  readonly proxies: readonly string[];
}

/** The public addresses that a proxy on this machine forwards. */
export function listProxied(
  configuration: Pick<Configuration, "release" | "sync" | "events">,
): ProxiedAddress[] {
  return listListeners(configuration).flatMap(({ listen, address }) => {
    const proxies = address?.url.startsWith("https:") === true ? listProxiesTo(listen.host) : [];
    return address === null || proxies.length === 0 ? [] : [{ key: address.key, proxies }];
  });
}

/** The system connects to every loopback address of IPv4 from 127.0.0.1. */
function listProxiesTo(host: string): readonly string[] {
  if (host === "::1") return ["::1"];
  if (!isLoopback(host)) return [];
  return isIPv4(host) ? ["127.0.0.1"] : LOCAL_PROXIES;
}

/** Logs once when an untrusted proxy on this machine forwards requests. Returns the wrapper of a service. */
export function noticeUntrustedProxy(
  trustedProxies: readonly string[],
  log: Pick<LineWriter, "event">,
): (http: HttpService) => HttpService {
  const isTrusted = createProxyCheck(trustedProxies);
  if (LOCAL_PROXIES.every(isTrusted)) return (http) => http;
  let isLogged = false;
  const look = (request: RawRequest) => {
    if (request.header("x-forwarded-for") === null) return;
    const peer = plainAddress(request.remoteAddress ?? "");
    const isLocal = peer === "::1" || isLoopback(peer);
    if (!isLocal || isTrusted(peer)) return;
    isLogged = true;
    const message = `A proxy on this machine sends X-Forwarded-For and is not trusted, so all its clients count as one: a stranger's failed sign-ins block the owner. Set "trustedProxies": ${JSON.stringify(LOCAL_PROXIES)}`;
    log.event("untrusted_proxy", { message }, "warn");
  };
  return (http) => ({
    ...http,
    respond(request) {
      if (!isLogged) look(request);
      return http.respond(request);
    },
  });
}
