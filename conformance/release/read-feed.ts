/** Reads the feeds as far as the cases compare them. */
import { createChecker } from "../../src/contract/check.ts";
import { SquirrelMacFeed, TauriStaticFeed } from "../../src/contract/release/feed-routes.ts";
import { createBodyExpectation, expectStatus, fail } from "../expect.ts";
import type { ReceivedResponse } from "../http.ts";
import { unescapeMarkup } from "../unescape-markup.ts";

export const expectTauriFeed = createBodyExpectation(createChecker(TauriStaticFeed));
export const expectSquirrelFeed = createBodyExpectation(createChecker(SquirrelMacFeed));

export interface ElectronFeed {
  readonly version: string;
  readonly files: readonly {
    readonly url: string;
    readonly sha512: string;
    readonly size: number;
  }[];
  readonly path: string;
  readonly sha512: string;
  readonly releaseDate: string;
  readonly stagingPercentage?: unknown;
}

const LINE = /^(?:( {2}- | {4})?)(\w+):(?: (.*))?$/;

/**
 * Reads the YAML that a builder of such files writes: block mappings of scalars, and one list of
 * such mappings.
 */
export function readElectronFeed(response: ReceivedResponse): ElectronFeed {
  const top: Record<string, unknown> = {};
  const files: Record<string, unknown>[] = [];
  for (const line of textOf(response).trimEnd().split("\n")) {
    const match = LINE.exec(line);
    if (match === null) return fail(response, "YAML of keys and scalars", `"${line}"`);
    const [, indent = "", key = "", value] = match;
    if (indent.includes("-")) files.push({});
    const target = indent === "" ? top : (files.at(-1) ?? {});
    if (value !== undefined) target[key] = readScalar(value);
  }
  const texts = [top["version"], top["path"], top["sha512"], top["releaseDate"]];
  const isComplete =
    texts.every((text) => typeof text === "string") &&
    files.length > 0 &&
    files.every(
      ({ url, sha512, size }) =>
        typeof url === "string" && typeof sha512 === "string" && typeof size === "number",
    );
  if (!isComplete) {
    const members = "version, files with url, sha512 and size, path, sha512, releaseDate";
    return fail(response, members, JSON.stringify({ ...top, files }).slice(0, 300));
  }
  return { ...top, files } as unknown as ElectronFeed;
}

function readScalar(text: string): unknown {
  if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export interface AppcastItem {
  readonly build: string;
  readonly version: string;
  readonly channel: string | null;
  readonly url: string;
  readonly length: string;
  readonly edSignature: string;
  /** The operating system, such as `macos` or `windows-x64`. */
  readonly os: string;
  readonly isCritical: boolean;
  readonly phasedRolloutInterval: string | null;
}

export function readAppcast(response: ReceivedResponse): AppcastItem[] {
  const text = textOf(response);
  const items = [...text.matchAll(/<item>(.*?)<\/item>/gs)].map(([, item = ""]) => {
    const element = (name: string) =>
      new RegExp(`<${name}>([^<]*)</${name}>`).exec(item)?.[1] ?? null;
    const enclosure = /<enclosure\s([^>]*)>/.exec(item)?.[1] ?? "";
    const attribute = (name: string) =>
      unescapeMarkup(new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(enclosure)?.[1] ?? "");
    return {
      build: element("sparkle:version") ?? "",
      version: element("sparkle:shortVersionString") ?? "",
      channel: element("sparkle:channel"),
      url: attribute("url"),
      length: attribute("length"),
      edSignature: attribute("sparkle:edSignature"),
      os: attribute("sparkle:os"),
      isCritical: item.includes("<sparkle:criticalUpdate"),
      phasedRolloutInterval: element("sparkle:phasedRolloutInterval"),
    };
  });
  if (items.length === 0) return fail(response, "an appcast with items", "none");
  return items;
}

function textOf(response: ReceivedResponse): string {
  expectStatus(response, 200);
  return response.text();
}
