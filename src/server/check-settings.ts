/** What a configuration must obey beyond its shape. */
import { BlockList, isIP } from "node:net";
import { isLoopback } from "../contract/loopback.ts";
import { parseTimeZone } from "../rules/events/ingest/time-zone.ts";
import { findRedirectError } from "../identity/redirect-error.ts";
import type { EventsConfiguration, SyncConfiguration } from "./configuration-schema.ts";
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
  const { release, sync, events } = settings;
  if (release !== undefined) {
    faults.push(
      ...checkPublicUrl("release.baseUrl", release.baseUrl),
      ...checkPublicUrl("release.smartDownload.url", release.smartDownload.url),
    );
    faults.push(...checkWebsiteUrl("release.websiteDownloadUrl", release.websiteDownloadUrl));
  }
  if (sync !== undefined) faults.push(...checkSync(sync));
  if (events !== undefined) faults.push(...checkEvents(events));
  return faults;
}

function checkSync(sync: SyncConfiguration): string[] {
  const faults = checkPublicUrl("sync.baseUrl", sync.baseUrl);
  sync.redirectUris.forEach((entry, index) => {
    const uri = typeof entry === "string" ? entry : entry.uri;
    const fault = findRedirectError(uri, sync.allowedSchemes);
    if (fault !== null) faults.push(`sync.redirectUris[${index}] "${uri}": ${fault}`);
  });
  sync.corsOrigins.forEach((origin, index) => {
    if (URL.canParse(origin) && new URL(origin).origin === origin) return;
    faults.push(
      `sync.corsOrigins[${index}] must be an exact origin such as https://app.example.com, not "${origin}"`,
    );
  });
  return [...faults, ...checkStore("sync.store", sync.store)];
}

function checkEvents(events: EventsConfiguration): string[] {
  const { baseUrl, clients, timeZone, subscriptions } = events;
  const faults = checkPublicUrl("events.baseUrl", baseUrl);
  // The routes of the contract stand at the root, and the issuer is the origin (RFC 8414 2).
  if (faults.length === 0 && new URL(baseUrl).pathname !== "/") {
    faults.push(`events.baseUrl must have no path: use "${new URL(baseUrl).origin}"`);
  }
  clients.forEach(({ id, redirectUris }, index) => {
    if (clients.findIndex((client) => client.id === id) < index) {
      faults.push(`events.clients[${index}].id "${id}" is that of another client`);
    }
    redirectUris.forEach((uri, place) => {
      // An app's addresses are listed one by one, so a scheme without a dot is meant.
      const fault = findRedirectError(uri, "any");
      if (fault === null) return;
      faults.push(`events.clients[${index}].redirectUris[${place}] "${uri}": ${fault}`);
    });
  });
  if (parseTimeZone(timeZone) === null) {
    faults.push(
      `events.timeZone must be an IANA name such as Europe/Berlin or UTC, not "${timeZone}"`,
    );
  }
  subscriptions.allowedPrivateHosts.forEach((host, index) => {
    if (isHost(host)) return;
    faults.push(
      `events.subscriptions.allowedPrivateHosts[${index}] must be a host name or an IP address such as calendar.internal, not "${host}"`,
    );
  });
  return [...faults, ...checkStore("events.store", events.store)];
}

/** As it stands in an address, without a port; an IPv6 address without its brackets. */
function isHost(text: string): boolean {
  if (isIP(text) !== 0) return true;
  return (
    URL.canParse(`https://${text}/`) && new URL(`https://${text}/`).hostname === text.toLowerCase()
  );
}

/** Not quoted: it may hold a password. */
function checkStore(key: string, store: string): string[] {
  if (/^(sqlite:.|postgres(ql)?:\/\/)/.test(store)) return [];
  return [`${key} must be sqlite:PATH or a postgres:// address`];
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
