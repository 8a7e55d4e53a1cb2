/** The public addresses of the configuration, and the proxies that they imply. */
import { createProxyCheck } from "../../http/client-address.ts";
import type {
  Configuration,
  ReleaseConfiguration,
} from "../../configuration/configuration-schema.ts";
import { listProxied, LOCAL_PROXIES } from "../local-proxy.ts";
import {
  listLocalAddresses,
  suggestSmartDownloadUrl,
  type LocalAddress,
} from "../../configuration/public-addresses.ts";
import { errorFinding, ok, warning, type Finding } from "./finding.ts";

/** Whether public addresses lead visitors to their own machine. */
export function diagnoseAddresses(release: ReleaseConfiguration): Finding[] {
  return listLocalAddresses(release).map((address) => explain(address, release));
}

function explain({ key, url, publicKey }: LocalAddress, release: ReleaseConfiguration): Finding {
  const state = `${url} is an address of this machine, although ${publicKey} is public`;
  switch (key) {
    case "release.baseUrl":
      return errorFinding(
        key,
        `${state}: the selector redirects visitors to their own machine`,
        `set ${key} to the public address of the API`,
      );
    case "release.smartDownload.url": {
      const suggested = suggestSmartDownloadUrl(release.baseUrl) ?? "https://get.example.com";
      const { host, port } = release.smartDownload.listen;
      return errorFinding(
        key,
        `${state}: /download redirects visitors to their own machine`,
        `set ${key} to a public address such as ${suggested}, which the proxy forwards to ${host}:${port}`,
      );
    }
    case "release.websiteDownloadUrl":
      return warning(
        key,
        `${state}: the selector redirects a visitor of unknown platform to the visitor's own machine`,
        `set ${key} to the download section of your website`,
      );
  }
}

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
    errorFinding(
      subject,
      `the proxy on this machine, which serves ${keys} as https, is not trusted, so all its clients count as one: a stranger's failed sign-ins block the owner`,
      `set "trustedProxies": ${JSON.stringify(LOCAL_PROXIES)}, and let the proxy send X-Forwarded-For`,
    ),
  ];
}
