/** What a configuration must obey beyond its shape. */
import { BlockList, isIP } from "node:net";
import { isLoopback } from "../contract/loopback.ts";
import { findRedirectFault } from "../identity/redirect-fault.ts";
import type { SyncConfiguration } from "./configuration-schema.ts";
import type { Configuration } from "./configuration.ts";

/** One fault per wrong key, as a sentence that begins with the key. */
export function checkSettings(settings: Omit<Configuration, "file">): string[] {
  const faults: string[] = [];
  for (const [index, entry] of settings.trustedProxies.entries()) {
    if (!isAddressOrRange(entry)) {
      faults.push(
        `trustedProxies[${index}] must be an IP address or a CIDR range such as 10.0.0.0/8, not "${entry}"`,
      );
    }
  }
  const { release, sync } = settings;
  if (release !== undefined) {
    faults.push(
      ...checkPublicUrl("release.baseUrl", release.baseUrl),
      ...checkPublicUrl("release.smartDownload.url", release.smartDownload.url),
    );
    faults.push(...checkWebsiteUrl("release.websiteDownloadUrl", release.websiteDownloadUrl));
  }
  if (sync !== undefined) faults.push(...checkSync(sync));
  return faults;
}

function checkSync(sync: SyncConfiguration): string[] {
  const faults = checkPublicUrl("sync.baseUrl", sync.baseUrl);
  sync.redirectUris.forEach((entry, index) => {
    const uri = typeof entry === "string" ? entry : entry.uri;
    const fault = findRedirectFault(uri, sync.allowedSchemes);
    if (fault !== null) faults.push(`sync.redirectUris[${index}] "${uri}": ${fault}`);
  });
  sync.corsOrigins.forEach((origin, index) => {
    if (URL.canParse(origin) && new URL(origin).origin === origin) return;
    faults.push(
      `sync.corsOrigins[${index}] must be an exact origin such as https://app.example.com, not "${origin}"`,
    );
  });
  // Not quoted: it may hold a password.
  if (!/^(sqlite:.|postgres(ql)?:\/\/)/.test(sync.store)) {
    faults.push("sync.store must be sqlite:PATH or a postgres:// address");
  }
  return faults;
}

function checkWebsiteUrl(key: string, text: string): string[] {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    return [`${key} must be an absolute http or https address, not "${text}"`];
  }
  return checkCharacters(key, text);
}

/** An address is sent in headers as it is written, and they carry nothing else. */
function checkCharacters(key: string, text: string): string[] {
  if (/^[\x21-\x7e]*$/.test(text)) return [];
  return [`${key} must be printable ASCII without spaces: use "${new URL(text).href}"`];
}

/** An origin, perhaps with a path, that other addresses are appended to. */
function checkPublicUrl(key: string, text: string): string[] {
  if (!URL.canParse(text)) return [`${key} must be an absolute address, not "${text}"`];
  const unsendable = checkCharacters(key, text);
  if (unsendable.length > 0) return unsendable;
  const url = new URL(text);
  if (url.username !== "" || url.password !== "" || text.includes("?") || text.includes("#")) {
    return [`${key} must have no user information, query or fragment`];
  }
  if (text.endsWith("/"))
    return [`${key} must not end with a slash: use "${text.replace(/\/+$/, "")}"`];
  if (url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname)))
    return [];
  return [`${key} must be https (http only on loopback), not "${text}"`];
}

function isAddressOrRange(entry: string): boolean {
  const [address = "", prefix, ...rest] = entry.split("/");
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  if (!/^\d{1,3}$/.test(prefix)) return false;
  try {
    new BlockList().addSubnet(address, Number(prefix), family === 6 ? "ipv6" : "ipv4");
    return true;
  } catch {
    return false;
  }
}
