/**
 * A static host that knows files, `_headers` and `_redirects` and nothing else: the plain server that
 * shows what the tree is worth where no rules for nginx can be loaded.
 */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ReceivedResponse } from "./send-request.ts";

/** A part of a path that the destination has, too. */
const PLACEHOLDER = /:(?:version|digest)/;

export interface HeaderBlock {
  readonly pattern: string;
  readonly headers: ReadonlyMap<string, string>;
}

export function parseHeaders(text: string): HeaderBlock[] {
  const blocks: { pattern: string; headers: Map<string, string> }[] = [];
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    if (!line.startsWith(" ")) {
      blocks.push({ pattern: line, headers: new Map() });
      continue;
    }
    const colon = line.indexOf(":");
    blocks
      .at(-1)
      ?.headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  return blocks;
}

/** Hosts merge the values of all rules that match, which is why no two may name the same header. */
export function headersFor(blocks: readonly HeaderBlock[], path: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { pattern, headers: own } of blocks) {
    if (!wildcard(pattern).test(path)) continue;
    for (const [name, value] of own) {
      headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
    }
  }
  return headers;
}

export function createPlainHost(folder: string): (target: string) => ReceivedResponse {
  const blocks = parseHeaders(readFileSync(join(folder, "_headers"), "utf8"));
  const rules = parseRedirects(readFileSync(join(folder, "_redirects"), "utf8"));
  return (target) => {
    const { pathname, searchParams, search } = new URL(target, "https://host.example.com");
    const headers = headersFor(blocks, pathname);
    const direct = join(folder, pathname);
    if (statSync(direct, { throwIfNoEntry: false })?.isFile() === true) {
      return { status: 200, headers, body: readFileSync(direct, "utf8") };
    }
    for (const { pattern, query, to, status } of rules) {
      const match = pattern.exec(pathname);
      if (match === null || ![...query].every(([key, value]) => searchParams.get(key) === value))
        continue;
      const destination = to.replace(PLACEHOLDER, match.groups?.["value"] ?? "");
      if (status !== 200)
        return { status, headers: { ...headers, location: destination + search }, body: "" };
      const file = join(folder, destination);
      if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) break;
      return { status, headers, body: readFileSync(file, "utf8") };
    }
    return { status: 404, headers, body: "" };
  };
}

function parseRedirects(text: string) {
  return text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [from = "", ...rest] = line.split(" ");
      const query = rest
        .filter((part) => /^\w+=/.test(part))
        .map((part) => part.split("=") as [string, string]);
      const [to = "", status = ""] = rest.slice(query.length);
      const pattern = new RegExp(`^${from.replace(PLACEHOLDER, "(?<value>[^/]+)")}$`);
      return { pattern, query, to, status: Number(status) };
    });
}

function wildcard(pattern: string): RegExp {
  return new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll("*", ".*")}$`);
}
