/** Release notes from a changelog in the form of Keep a Changelog 1.1.0. */
import type { ReleaseNotes } from "../../contract/release/schemas.ts";

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
  const releases = splitReleases(text);
  const release = releases.find((section) => section.version === version);
  if (release === undefined) {
    return { kind: "no-section", versions: releases.map((section) => section.version) };
  }
  const notes = emptyNotes();
  const unknownSections: string[] = [];
  const { looseLines, sections } = splitSections(release.lines);
  for (const { heading, lines } of sections) {
    const section = SECTIONS.get(heading.toLowerCase());
    if (section === undefined) unknownSections.push(heading);
    else
      notes[section.list].push(...readItems(lines).map((item) => prefixed(item, section.prefix)));
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
const LINK_DEFINITION = /^ {0,3}\[[^\]]+\]:/;

function splitReleases(text: string): ReleaseSection[] {
  const releases: ReleaseSection[] = [];
  for (const line of visibleLines(text)) {
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
      sections.push({ heading: plainText(withoutEnding(heading, " \t#:")), lines: [] });
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

const BULLET = /^\s*(?:[-*+]|\d+[.)])[ \t]+([^]*)/;

/** The items of lists, and paragraphs. A line without a bullet continues the one before. */
function readItems(lines: readonly string[]): string[] {
  const items: string[] = [];
  let isOpen = false;
  for (const line of lines) {
    const bullet = BULLET.exec(line)?.[1];
    const words = (bullet ?? line).trim();
    if (words === "") isOpen = bullet !== undefined;
    if (words === "") continue;
    if (bullet === undefined && isOpen) items.push(`${items.pop() ?? ""} ${words}`.trim());
    else items.push(words);
    isOpen = true;
  }
  return items.map(plainText).filter((item) => item !== "");
}

/** Brackets exclude each other, so that one without an end is searched for no further than the next. */
const LINK = /!?\[([^[\]]*)\](?:\((?:[^()]|\([^()]*\))*\)|\[[^[\]]*\])/g;

/** Notes are plain text: links become their words, and marks of emphasis and code go. */
function plainText(markdown: string): string {
  return markdown
    .replaceAll(LINK, "$1")
    .replaceAll(/(\*\*|__)(?=\S)(.+?)\1/g, "$2")
    .replaceAll(/(?<![\w*])\*(?=\S)([^*]+?)\*(?![\w*])/g, "$1")
    .replaceAll(/`([^`]+)`/g, "$1")
    .trim();
}

/** "Support for Windows 7" under "Removed" would say the opposite among the changes. */
function prefixed(item: string, prefix: string | undefined): string {
  if (prefix === undefined || item.toLowerCase().startsWith(prefix.toLowerCase())) return item;
  return `${prefix}: ${item}`;
}
