/** Where each service listens, with its public address and the keys of both in the configuration. */
import type { Configuration } from "./configuration-schema.ts";

export interface ConfiguredListener {
  readonly key: string;
  readonly listen: { readonly host: string; readonly port: number };
  /** Null for the listener of the operator, which has no public address. */
  readonly address: { readonly key: string; readonly url: string } | null;
}

export function listListeners({
  release,
  sync,
  events,
  operator,
}: Pick<Configuration, "release" | "sync" | "events" | "operator">): ConfiguredListener[] {
  const found: ConfiguredListener[] = [];
  const add = (section: string, listen: ConfiguredListener["listen"], url: string, name: string) =>
    found.push({
      key: `${section}.listen`,
      listen,
      address: { key: `${section}.${name}`, url },
    });
  if (release !== undefined) {
    add("release", release.listen, release.baseUrl, "baseUrl");
    const { listen, url } = release.smartDownload;
    add("release.smartDownload", listen, url, "url");
  }
  if (sync !== undefined) add("sync", sync.listen, sync.baseUrl, "baseUrl");
  if (events !== undefined) add("events", events.listen, events.baseUrl, "baseUrl");
  if (operator !== undefined) {
    found.push({ key: "operator.listen", listen: operator.listen, address: null });
  }
  return found;
}
