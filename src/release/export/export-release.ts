/** `trellis release export`: the service's responses as files, and web server rules that serve them. */
import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import type { FeedSettings } from "../../contract/release/feed-values.ts";
import { isPublished, type Catalog } from "../../rules/release/catalog.ts";
import type { Site } from "../../rules/release/site/validate-site.ts";
import { readWholeCatalog } from "../catalog/read-catalog.ts";
import { readSite } from "../catalog/read-site.ts";
import { CatalogError } from "../catalog.ts";
import { prepareResponses } from "../responses/prepare-responses.ts";
import { headerRules, headersFile, redirectsFile } from "./host-rules.ts";
import { ENCODED_SUFFIXES } from "./feed-files.ts";
import { nginxApi } from "./nginx-api.ts";
import { TREE_FOLDER } from "./nginx-syntax.ts";
import { recordResponses, type ExportAddresses, type Recording } from "./record-responses.ts";
import { siteFiles, type ExportedSite } from "./site.ts";
import { CURRENT_LINK, TREES_FOLDER, writeTree, type TreeFile } from "./write-tree.ts";

export interface ExportOptions extends ExportAddresses {
  /** The catalogue folder. */
  readonly catalog: string;
  readonly directory: string;
  /** The path of the directory on the web server; null: where it is now. */
  readonly deployedAt: string | null;
  /** The live service, which nginx asks for what is no file; null: there are no rules for nginx. */
  readonly upstream: string | null;
  readonly feeds: FeedSettings;
  /** Builds the download page; null: none is exported. */
  readonly buildSite: ((catalog: Catalog, site: Site | null) => ExportedSite | null) | null;
  readonly now: number;
}

export type ExportResult =
  | { readonly kind: "foreign-folder" }
  | {
      readonly kind: "written" | "unchanged";
      readonly tree: string;
      readonly files: number;
      readonly bytes: number;
      readonly releases: number;
      readonly hasManifest: boolean;
      readonly hasSite: boolean;
      /** When the files are out of date: a deadline passes, and the appcast calls a release critical. */
      readonly outdatedAt: string | null;
      readonly warnings: readonly string[];
    };

/** Throws a CatalogError when the catalogue is invalid, before anything is written. */
export async function exportRelease(options: ExportOptions): Promise<ExportResult> {
  const result = await readWholeCatalog(options.catalog, options.now);
  if (result.kind === "invalid") throw new CatalogError(options.catalog, result.errors);
  const { catalog, manifest, warnings } = result;
  const releases = catalog.releases.filter(isPublished);
  const responses = prepareResponses(catalog, manifest, options.now);
  // Responses are recorded at once, so the archives are made before.
  for (const digest of responses.archives.digests) await responses.archives.find(digest);
  const recording = recordResponses(releases, responses, options, options.feeds, options.now);
  const theme = options.buildSite === null ? null : readTheme(options.catalog);
  const site = options.buildSite?.(catalog, theme) ?? null;
  const files = [
    ...responseFiles(recording),
    ...ruleFiles(recording, options.upstream),
    ...(site === null ? [] : siteFiles(site)),
  ];
  const directory = resolve(options.directory);
  const deployedAt = options.deployedAt ?? directory;
  const digest = digestOf(files, deployedAt);
  const folder = join(deployedAt, TREES_FOLDER, digest);
  const kind = writeTree(
    directory,
    digest,
    files.map((file) => withFolder(file, folder)),
    options.now,
  );
  if (kind === "foreign-folder") return { kind };
  return {
    kind,
    tree: join(directory, CURRENT_LINK),
    files: files.length,
    bytes: files.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0),
    releases: releases.length,
    hasManifest: manifest !== null,
    hasSite: site !== null,
    outdatedAt: options.feeds.sparkle ? toTime(responses.feeds(options.now).changesAt) : null,
    warnings,
  };
}

function toTime(instant: number): string | null {
  return instant === Infinity ? null : new Date(instant).toISOString();
}

/** Null when the maker has given the page no theme. */
function readTheme(folder: string): Site | null {
  const result = readSite(folder);
  if (result.kind === "invalid") throw new CatalogError(folder, result.errors);
  return result.kind === "valid" ? result.site : null;
}

function responseFiles({ stored }: Recording): TreeFile[] {
  return stored.flatMap(({ file, body, encoded }) => [
    { path: `public${file}`, body },
    ...encoded.map(({ encoding, body: compressed }) => ({
      path: `public${file}${ENCODED_SUFFIXES[encoding]}`,
      body: compressed,
    })),
  ]);
}

function ruleFiles(recording: Recording, upstream: string | null): TreeFile[] {
  return [
    ...(upstream === null
      ? []
      : [{ path: "nginx/api.conf", body: nginxApi(recording.stored, upstream) }]),
    { path: "public/_headers", body: headersFile(headerRules(recording)) },
    { path: "public/_redirects", body: redirectsFile(recording) },
  ];
}

/** Equal content has an equal name, so that an export of an unchanged catalogue writes nothing. */
function digestOf(files: readonly TreeFile[], deployedAt: string): string {
  const hash = createHash("sha256").update(`${deployedAt}\0`);
  for (const { path, body } of files) {
    hash.update(`${path}\0${Buffer.byteLength(body)}\0`).update(body);
  }
  return hash.digest("hex").slice(0, 16);
}

function withFolder(file: TreeFile, folder: string): TreeFile {
  return typeof file.body === "string" && file.body.includes(TREE_FOLDER)
    ? { path: file.path, body: file.body.replaceAll(TREE_FOLDER, folder) }
    : file;
}
