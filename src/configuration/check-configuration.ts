/** The rules of a configuration that its schema cannot express. */
import { BlockList, isIP } from "node:net";
import { isHttpsOrLoopback } from "../contract/loopback.ts";
import { loadRecipientCheck } from "./age-recipients.ts";
import { isPostgresAddress, parsePostgresAddress } from "../database/postgres-address.ts";
import { parseTimeZone } from "../rules/events/ingest/time-zone.ts";
import { findRedirectError } from "../identity/redirect-error.ts";
import { parseS3Address } from "../backup/storage/s3-settings.ts";
import type {
  BackupConfiguration,
  Configuration,
  EventsConfiguration,
  InstancesByName,
  InstanceSettings,
  InstanceRules,
  SyncConfiguration,
} from "./configuration-schema.ts";

/** Returns one error per wrong key; each error begins with the key. */
export function checkSettings(settings: Omit<Configuration, "file">): string[] {
  const errors: string[] = [];
  for (const [index, entry] of settings.trustedProxies.entries()) {
    if (!isAddressOrRange(entry)) {
      errors.push(
        `trustedProxies[${index}] must be an IP address or a CIDR range such as 10.0.0.0/8, not "${entry}"`,
      );
    }
  }
  const { release, sync, events } = settings;
  if (release !== undefined) {
    errors.push(
      ...checkPublicUrl("release.baseUrl", release.baseUrl),
      ...checkPublicUrl("release.smartDownload.url", release.smartDownload.url),
    );
    errors.push(...checkWebsiteUrl("release.websiteDownloadUrl", release.websiteDownloadUrl));
  }
  if (sync !== undefined) errors.push(...checkSync(sync));
  if (events !== undefined) errors.push(...checkEvents(events));
  return errors;
}

function checkSync(sync: SyncConfiguration): string[] {
  const errors = [
    ...checkPublicUrl("sync.baseUrl", sync.baseUrl),
    ...checkApps("sync", sync, sync.allowedSchemes),
    ...checkStore("sync.store", sync.store),
    ...checkBackup("sync.backup.to", sync.backup),
  ];
  // What is wrong with the store is said once.
  return errors.length > 0 || sync.instances === undefined
    ? errors
    : checkInstances("sync.instances", sync.instances, sync);
}

/** `key` is where the instances are listed, `sync` what they have in common. */
export function checkInstances(
  key: string,
  instances: InstancesByName,
  { allowedSchemes }: InstanceRules,
): string[] {
  const errors: string[] = [];
  const namesByHost = new Map<string, string>();
  for (const [name, instance] of Object.entries(instances)) {
    const at = `${key}.${name}`;
    errors.push(...checkApps(at, instance, allowedSchemes));
    const addressErrors = checkOrigin(`${at}.baseUrl`, instance.baseUrl);
    errors.push(...addressErrors);
    if (addressErrors.length > 0) continue;
    const { host } = new URL(instance.baseUrl);
    const other = namesByHost.get(host);
    if (other !== undefined) {
      errors.push(`${at}.baseUrl has the host of the instance "${other}": give it one of its own`);
    }
    namesByHost.set(host, name);
  }
  return errors;
}

function checkApps(
  key: string,
  { redirectUris = [], corsOrigins = [] }: Pick<InstanceSettings, "redirectUris" | "corsOrigins">,
  allowedSchemes: readonly string[],
): string[] {
  const errors: string[] = [];
  redirectUris.forEach((entry, index) => {
    const uri = typeof entry === "string" ? entry : entry.uri;
    const error = findRedirectError(uri, allowedSchemes);
    if (error !== null) errors.push(`${key}.redirectUris[${index}] "${uri}": ${error}`);
  });
  corsOrigins.forEach((origin, index) => {
    if (URL.canParse(origin) && new URL(origin).origin === origin) return;
    errors.push(
      `${key}.corsOrigins[${index}] must be an exact origin such as https://app.example.com, not "${origin}"`,
    );
  });
  return errors;
}

/** A public address without a path. */
function checkOrigin(key: string, text: string): string[] {
  const errors = checkPublicUrl(key, text);
  if (errors.length > 0) return errors;
  const { pathname, origin } = new URL(text);
  return pathname === "/" ? [] : [`${key} must have no path: use "${origin}"`];
}

function checkEvents(events: EventsConfiguration): string[] {
  const { baseUrl, clients, timeZone, subscriptions } = events;
  // The contract's routes are at the root, and the issuer is the origin (RFC 8414 2).
  const errors = checkOrigin("events.baseUrl", baseUrl);
  clients.forEach(({ id, redirectUris }, index) => {
    if (clients.findIndex((client) => client.id === id) < index) {
      errors.push(`events.clients[${index}].id "${id}" is used by another client`);
    }
    redirectUris.forEach((uri, place) => {
      // The operator lists every URI of an app, so a scheme without a dot is intended.
      const error = findRedirectError(uri, "any");
      if (error === null) return;
      errors.push(`events.clients[${index}].redirectUris[${place}] "${uri}": ${error}`);
    });
  });
  if (parseTimeZone(timeZone) === null) {
    errors.push(
      `events.timeZone must be an IANA name such as Europe/Berlin or UTC, not "${timeZone}"`,
    );
  }
  subscriptions.allowedPrivateHosts.forEach((host, index) => {
    if (isHost(host)) return;
    errors.push(
      `events.subscriptions.allowedPrivateHosts[${index}] must be a host name or an IP address such as calendar.internal, not "${host}"`,
    );
  });
  return [
    ...errors,
    ...checkStore("events.store", events.store),
    ...checkBackup("events.backup.to", events.backup),
  ];
}

/** A host as in a URL, without a port; an IPv6 address without brackets. */
function isHost(text: string): boolean {
  if (isIP(text) !== 0) return true;
  return (
    URL.canParse(`https://${text}/`) && new URL(`https://${text}/`).hostname === text.toLowerCase()
  );
}

/** The value is not quoted, because it may contain a password. */
function checkStore(key: string, store: string): string[] {
  if (/^sqlite:./.test(store)) return [];
  if (!isPostgresAddress(store)) return [`${key} must be sqlite:PATH or a postgres:// address`];
  try {
    parsePostgresAddress(store);
    return [];
  } catch (error) {
    return [`${key} is invalid: ${(error as Error).message}`];
  }
}

/** Returns an error for each key that backups cannot be encrypted to. */
export async function checkRecipients({
  sync,
  events,
}: Pick<Configuration, "sync" | "events">): Promise<string[]> {
  const keys = Object.entries({ sync, events }).flatMap(([service, section]) =>
    (section?.backup?.encryptTo ?? []).map((key, index) => ({
      at: `${service}.backup.encryptTo[${index}]`,
      key,
    })),
  );
  if (keys.length === 0) return [];
  const findError = await loadRecipientCheck();
  return keys.flatMap(({ at, key }) => {
    const error = findError(key);
    return error === null ? [] : [`${at} ${error}`];
  });
}

/** A mistyped scheme must not become the name of a folder. */
function checkBackup(key: string, backup: BackupConfiguration | undefined): string[] {
  if (backup === undefined || !/^[a-z][a-z0-9+.-]*:\/\//i.test(backup.to)) return [];
  return parseS3Address(backup.to) === null
    ? [`${key} must be a folder or s3://bucket/prefix, not "${backup.to}"`]
    : [];
}

function checkWebsiteUrl(key: string, text: string): string[] {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    return [`${key} must be an absolute http or https address, not "${text}"`];
  }
  return checkCharacters(key, text);
}

/** Addresses are sent in headers unchanged, and a header takes only these characters. */
function checkCharacters(key: string, text: string): string[] {
  if (/^[\x21-\x7e]*$/.test(text)) return [];
  return [`${key} must be printable ASCII without spaces: use "${new URL(text).href}"`];
}

/** An origin with an optional path, to which paths are appended. */
function checkPublicUrl(key: string, text: string): string[] {
  if (!URL.canParse(text)) return [`${key} must be an absolute address, not "${text}"`];
  const errors = checkCharacters(key, text);
  if (errors.length > 0) return errors;
  const url = new URL(text);
  if (url.username !== "" || url.password !== "" || text.includes("?") || text.includes("#")) {
    return [`${key} must have no user information, query or fragment`];
  }
  if (text.endsWith("/")) {
    return [`${key} must not end with a slash: use "${text.replace(/(?<!\/)\/+$/, "")}"`];
  }
  return isHttpsOrLoopback(url)
    ? []
    : [`${key} must be https (http only on loopback), not "${text}"`];
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
