import type { ReleaseConfiguration } from "../configuration-schema.ts";
import {
  listLocalAddresses,
  suggestSmartDownloadUrl,
  type LocalAddress,
} from "../public-addresses.ts";
import { fault, warning, type Finding } from "./finding.ts";

/** Whether public addresses lead visitors to their own machine. */
export function diagnoseAddresses(release: ReleaseConfiguration): Finding[] {
  return listLocalAddresses(release).map((address) => explain(address, release));
}

function explain({ key, url, publicKey }: LocalAddress, release: ReleaseConfiguration): Finding {
  const state = `${url} is an address of this machine, although ${publicKey} is public`;
  switch (key) {
    case "release.baseUrl":
      return fault(
        key,
        `${state}: the selector redirects visitors to their own machine`,
        `set ${key} to the public address of the API`,
      );
    case "release.smartDownload.url": {
      const suggested = suggestSmartDownloadUrl(release.baseUrl) ?? "https://get.example.com";
      const { host, port } = release.smartDownload.listen;
      return fault(
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
