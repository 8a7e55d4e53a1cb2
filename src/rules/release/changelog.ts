/** Release notes from a changelog in the form of Keep a Changelog 1.1.0. */
import type { ReleaseNotes } from "../../contract/release/schemas.ts";
import { isNoteAddress } from "./note.ts";

export type NoteList = keyof ReleaseNotes;

export const NOTE_LISTS = [
  "added",
  "changed",
  "fixed",
  "security",
] as const satisfies readonly NoteList[];

export function emptyNotes(): ReleaseNotes {
  return { added: [], changed: [], fixed: [], security: [] };
}

export function hasNotes(notes: ReleaseNotes): boolean {
  return NOTE_LISTS.some((list) => notes[list].length > 0);
}

/** What of a version's section belongs to no list. */
export interface LeftOut {
  /** The headings of sections that map to no list. */
  readonly unknownSections: readonly string[];
  /** The lines outside of every section. */
  readonly looseLines: readonly string[];
}

export type ChangelogResult =
  | ({ readonly kind: "found"; readonly notes: ReleaseNotes } & LeftOut)
  /** Everything was left out. */
  | ({ readonly kind: "no-notes" } & LeftOut)
  | { readonly kind: "no-section"; readonly versions: readonly string[] }
  | { readonly kind: "empty-section" };

/** A list, and the word before an item that would mean something else in that list. */
const SECTIONS = new Map<string, { readonly list: NoteList; readonly prefix?: string }>([
  ["added", { list: "added" }],
  ["changed", { list: "changed" }],
  ["deprecated", { list: "changed", prefix: "Deprecated" }],
  ["removed", { list: "changed", prefix: "Removed" }],
  ["fixed", { list: "fixed" }],
  ["security", { list: "security" }],
]);

export function readChangelogNotes(text: string, version: string): ChangelogResult {
  const lines = visibleLines(text);
  const releases = splitReleases(lines);
  const release = releases.find((section) => section.version === version);
  if (release === undefined) {
    return { kind: "no-section", versions: releases.map((section) => section.version) };
  }
  const notes = emptyNotes();
  const definitions = readDefinitions(lines);
  const unknownSections: string[] = [];
  const { looseLines, sections } = splitSections(release.lines);
  for (const { heading, lines } of sections) {
    const section = SECTIONS.get(heading.toLowerCase());
    if (section === undefined) {
      unknownSections.push(heading);
      continue;
    }
    const items = readItems(lines)
      .map((item) => toNote(item, definitions))
      .filter((item) => item !== "");
    notes[section.list].push(...items.map((item) => prefixed(item, section.prefix)));
  }
  if (hasNotes(notes)) return { kind: "found", notes, unknownSections, looseLines };
  return unknownSections.length === 0 && looseLines.length === 0
    ? { kind: "empty-section" }
    : { kind: "no-notes", unknownSections, looseLines };
}

interface ReleaseSection {
  readonly version: string;
  readonly lines: string[];
}

const RELEASE_HEADING = /^##[ \t]+\[?v?([^\]\s(:,]+)/;
const LINK_DEFINITION = /^ {0,3}\[([^\]]+)\]:[ \t]*<?([^\s>]*)/;

/** The addresses that links name by a label (CommonMark 4.7): the first definition counts. */
function readDefinitions(lines: readonly string[]): ReadonlyMap<string, string> {
  const definitions = new Map<string, string>();
  for (const line of lines) {
    const [, label = "", address = ""] = LINK_DEFINITION.exec(line) ?? [];
    if (address !== "" && !definitions.has(label.toLowerCase())) {
      definitions.set(label.toLowerCase(), address);
    }
  }
  return definitions;
}

function splitReleases(lines: readonly string[]): ReleaseSection[] {
  const releases: ReleaseSection[] = [];
  for (const line of lines) {
    const version = RELEASE_HEADING.exec(line)?.[1];
    if (version !== undefined) releases.push({ version, lines: [] });
    // A second title ends the list of releases.
    else if (/^#[ \t]/.test(line) && releases.length > 0) break;
    else if (!LINK_DEFINITION.test(line)) releases.at(-1)?.lines.push(line);
  }
  return releases;
}

/** The lines outside of comments and code blocks, in which a line may look like a heading. */
function visibleLines(text: string): string[] {
  const lines: string[] = [];
  let fence: string | undefined;
  for (const line of withoutComments(text).split(/\r?\n/)) {
    const mark = /^\s*(```|~~~)/.exec(line)?.[1];
    if (fence === undefined && mark === undefined) lines.push(line);
    if (mark !== undefined) fence = fence === undefined ? mark : fence === mark ? undefined : fence;
  }
  return lines;
}

/** Not by an expression: without an end, each beginning would search the whole rest. */
function withoutComments(text: string): string {
  let shown = "";
  for (let at = 0; ;) {
    const start = text.indexOf("<!--", at);
    const end = start < 0 ? -1 : text.indexOf("-->", start + 4);
    if (end < 0) return shown + text.slice(at);
    shown += text.slice(at, start);
    at = end + 3;
  }
}

interface NoteSection {
  readonly heading: string;
  readonly lines: string[];
}

function splitSections(lines: readonly string[]) {
  const sections: NoteSection[] = [];
  const looseLines: string[] = [];
  for (const line of lines) {
    const heading = /^###[ \t]+([^]*)/.exec(line)?.[1];
    if (heading !== undefined) {
      sections.push({ heading: toNote(withoutEnding(heading, " \t#:")), lines: [] });
    } else if (sections.length > 0) sections.at(-1)?.lines.push(line);
    else if (line.trim() !== "") looseLines.push(line.trim());
  }
  return { sections, looseLines };
}

function withoutEnding(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

const BULLET = /^(\s*)(?:[-*+]|\d+[.)])[ \t]+([^]*)/;

/**
 * The items of lists, and paragraphs. A line without a bullet continues the one before, and a bullet that
 * is indented further than its list is a point of the item above it.
 */
function readItems(lines: readonly string[]): string[] {
  const items: string[] = [];
  let isOpen = false;
  let listIndent: number | null = null;
  for (const line of lines) {
    const [, indent = "", bullet] = BULLET.exec(line) ?? [];
    const words = (bullet ?? line).trim();
    if (words === "") isOpen = bullet !== undefined;
    if (words === "") continue;
    const width = indent.replaceAll("\t", "    ").length;
    const isPoint = bullet !== undefined && listIndent !== null && width > listIndent + 1;
    if (isPoint) items.push(`${items.pop() ?? ""}\n- ${words}`);
    else if (bullet === undefined && isOpen) items.push(`${items.pop() ?? ""} ${words}`.trim());
    else {
      items.push(words);
      listIndent = bullet === undefined ? null : width;
    }
    isOpen = true;
  }
  return items;
}

// Brackets exclude each other, so that one without an end is searched for no further than the next.
const IMAGE = /!\[([^[\]]*)\](?:\((?:[^()]|\([^()]*\))*\)|\[[^[\]]*\])/g;
const LINK =
  /\[([^[\]]*)\](?:\([ \t]?<?([^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*)*)>?(?:\s[^()]*)?\)|\[([^[\]]*)\])?/g;
const AUTOLINK = /<(https?:\/\/[^\s<>]+|mailto:[^\s<>]+)>/gi;
/** A link while the marks around it are removed: its address may have such marks too. */
const PLACE = /\ue000(\d+)\ue001/g;

/**
 * Notes have links and no other marks: emphasis and code become their words, images their descriptions.
 * A library would render all of Markdown, HTML included, of which most would have to be taken out again.
 */
function toNote(markdown: string, definitions: ReadonlyMap<string, string> = new Map()): string {
  const links: string[] = [];
  const place = (link: string) => `\ue000${links.push(link) - 1}\ue001`;
  const marked = markdown
    .replaceAll(/[\ue000\ue001]/g, "")
    .replaceAll(IMAGE, "$1")
    .replaceAll(LINK, (all, words: string, address?: string, label?: string) => {
      const known = definitions.get((label || words).toLowerCase());
      const href = address ?? known;
      // Brackets without an address are only brackets.
      if (href === undefined) return label === undefined ? all : words;
      return isNoteAddress(href) ? place(toLink(withoutMarks(words), href)) : words;
    })
    .replaceAll(AUTOLINK, (_all, href: string) =>
      place(toLink(href.replace(/^mailto:/i, ""), href)),
    );
  return withoutMarks(marked)
    .replaceAll(PLACE, (_all, index) => links[Number(index)] ?? "")
    .trim();
}

function toLink(words: string, href: string): string {
  return words === href || words === "" ? href : `[${words}](${href})`;
}

function withoutMarks(text: string): string {
  return text
    .replaceAll(/(\*\*|__)(?=\S)(.+?)\1/g, "$2")
    .replaceAll(/(?<![\w*])\*(?=\S)([^*]+?)\*(?![\w*])/g, "$1")
    .replaceAll(/`([^`]+)`/g, "$1");
}

/** "Support for Windows 7" under "Removed" would say the opposite among the changes. */
function prefixed(item: string, prefix: string | undefined): string {
  if (prefix === undefined || item.toLowerCase().startsWith(prefix.toLowerCase())) return item;
  return `${prefix}: ${item}`;
}
