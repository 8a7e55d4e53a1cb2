import { createProxyCheck } from "../../http/client-address.ts";
import type { Configuration } from "../configuration-schema.ts";
import { listProxied, LOCAL_PROXIES } from "../local-proxy.ts";
import { fault, ok, type Finding } from "./finding.ts";

/** Whether the proxies that the configuration implies are trusted. */
export function diagnoseProxies(configuration: Configuration): Finding[] {
  const subject = "trusted proxies";
  const proxied = listProxied(configuration);
  if (proxied.length === 0) return [];
  const isTrusted = createProxyCheck(configuration.trustedProxies);
  const untrusted = proxied.filter(({ proxies }) => !proxies.every(isTrusted));
  if (untrusted.length === 0) return [ok(subject, "the proxy on this machine is trusted")];
  const keys = untrusted.map(({ key }) => key).join(", ");
  return [
    fault(
      subject,
      `the proxy on this machine, which serves ${keys} as https, is not trusted, so all its clients count as one: a stranger's failed sign-ins block the owner`,
      `set "trustedProxies": ${JSON.stringify(LOCAL_PROXIES)}, and let the proxy send X-Forwarded-For`,
    ),
  ];
}
