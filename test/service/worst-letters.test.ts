/**
 * A function that reads the text of a stranger takes time in proportion to its length: each one here gets the
 * letters that its expressions go back over most. A function that is new to outside text is added to the table.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { escapeControls } from "../../src/cli/escape-controls.ts";
import { isDateTime } from "../../src/contract/date-time.ts";
import { LANGUAGES } from "../../src/contract/language.ts";
import { locateJsonError } from "../../src/contract/locate-json-error.ts";
import {
  parseContentLine,
  splitTextList,
  unescapeText,
  unfoldLines,
} from "../../src/events/ingest/calendar/content-line.ts";
import { parseWrittenDate } from "../../src/events/ingest/calendar/read-date.ts";
import { chooseLanguage } from "../../src/http/choose-language.ts";
import { plainAddress } from "../../src/http/client-address.ts";
import { matchesETag } from "../../src/http/conditional.ts";
import { toLoggedPath } from "../../src/http/request-log.ts";
import { decodeSegments, splitTarget } from "../../src/http/target.ts";
import { parseIpAddress } from "../../src/rules/events/address/ip-address.ts";
import { parseServiceOrigin } from "../../src/rules/events/client/service-origin.ts";
import { cleanText } from "../../src/rules/events/ingest/clean-text.ts";
import { readEntryDate } from "../../src/rules/events/ingest/entry-date.ts";
import { parseWordRules } from "../../src/rules/events/ingest/word-rules.ts";
import { readBearer } from "../../src/rules/events/wire/bearer.ts";
import { isEtag, parseContentRange, parseRetryAfter } from "../../src/rules/http-headers.ts";
import { parseUsername } from "../../src/rules/identity/grammar.ts";
import { readChangelogNotes } from "../../src/rules/release/changelog.ts";
import { detectPlatform } from "../../src/rules/release/detect-platform.ts";
import { fileNameOfUrl, toPublicFileName } from "../../src/rules/release/file-name.ts";
import { parseMinisignSignature } from "../../src/rules/release/minisign.ts";
import { identifyPicture } from "../../src/rules/release/site/identify-picture.ts";
import { isVersion } from "../../src/rules/release/version.ts";
import { parseEntityId } from "../../src/rules/sync/entity-id.ts";
import { escapeHtml } from "../../src/web/html.ts";
import { httpsHref, policySource } from "../../src/web/safe-link.ts";

interface Reader {
  readonly read: (text: string) => unknown;
  /** Stands before the letters, so that they are reached. */
  readonly start?: string;
  readonly letters: readonly string[];
}

const bytesOf = (text: string) => new TextEncoder().encode(text);
const notesOf = (text: string) => readChangelogNotes(text, "1.0.0");

const READERS: Readonly<Record<string, Reader>> = {
  "a change log": {
    read: notesOf,
    start: "## 1.0.0\n### Added\n- ",
    letters: ["[", "[a](", "[a]((", "[a][", "![", "**a", "__a", "*a", " *a*b", "`", "<!--", "-->"],
  },
  "a heading of a change log": {
    read: notesOf,
    start: "## 1.0.0\n### ",
    letters: ["#", " ", "\t", ": ", "# ", "\r"],
  },
  "a list of a change log": {
    read: notesOf,
    start: "## 1.0.0\n### Added\n",
    letters: [" ", "-", "- ", "-\t", "1", "1.", "\r", "```\n", "## 1.0.0\n", "### A\n"],
  },
  "the name of a file": { read: toPublicFileName, letters: ["-", " ", " -", "-.", "ä", "a-", "."] },
  "the address of a file": {
    read: fileNameOfUrl,
    start: "https://",
    letters: ["/", "?", "#", "%", "%41", "a"],
  },
  "a picture": {
    read: (text) => identifyPicture(bytesOf(text)),
    letters: [" ", "<!---->", "<!--", "<!DOCTYPE svg>", "<!DOCTYPE >", "<?xml ?>", "<?xml", "<svg"],
  },
  "the line of a calendar": {
    read: (text) => [parseContentLine(text), ...unfoldLines(text)],
    start: "SUMMARY",
    letters: [";X=", ";X=a,", ';X="', '"', ":", ";", "\r\n ", "\n\t", "\r"],
  },
  "the value of a calendar": {
    read: (text) => [unescapeText(text), splitTextList(text), parseWrittenDate(text)],
    letters: ["\\", "\\,", ",", "\\n", "0", "T"],
  },
  "a date": {
    read: (text) => [readEntryDate(text, "UTC"), isDateTime(text)],
    start: "2026-01-31",
    letters: ["0", " ", "T", ":00", ".0", "-"],
  },
  "words that people type": {
    read: (text) => [cleanText(text, 100), parseWordRules(text), parseUsername(text)],
    letters: [" ", "\u0000", "\u0301", "a=", ",", "\n", "\ud83d"],
  },
  "the address of a service": {
    read: parseServiceOrigin,
    start: "https://",
    letters: ["/", ":", "[", "@", "?", "#", ".", "a."],
  },
  "an address of the network": {
    read: (text) => [parseIpAddress(text), plainAddress(text)],
    letters: [":", "::", "0", "1.", "f:", "%", "["],
  },
  "the headers of a request": {
    read: (text) => [
      chooseLanguage(text, LANGUAGES),
      matchesETag(text, '"x"'),
      readBearer(text),
      detectPlatform(text),
      isEtag(text),
      parseContentRange(text),
      parseRetryAfter(text, 0),
    ],
    letters: [",", " ", "en,", ";q=0.", '"', '"a",', "W/", "Bearer ", "bytes 0-", "0", "Mozilla/"],
  },
  "the target of a request": {
    read: (text) => [splitTarget(text), decodeSegments(text), toLoggedPath(text)],
    start: "/",
    letters: ["/", "?", "&", "%", "%41", "%2f", ".."],
  },
  "an entity id": {
    read: (text) => parseEntityId(text.slice(0, 100_000), "open"),
    start: "note/",
    letters: ["%41", "/", "a", "%"],
  },
  "a version": { read: isVersion, letters: ["1", "1.", "0", "."] },
  "a signature": {
    read: (text) => parseMinisignSignature(bytesOf(text)),
    letters: ["\n", "untrusted comment: ", "A", "=", "\r"],
  },
  "damaged JSON": { read: locateJsonError, letters: ["[", '{"a":', '"', "\\", " ", "1", '"\\'] },
  "what a page or a terminal shows": {
    read: (text) => [escapeHtml(text), escapeControls(text), httpsHref(text), policySource(text)],
    letters: ["<", "&", "\u001b", "https://", "'"],
  },
};

/** An expression that goes back takes a minute for these, and one that does not some milliseconds. */
const LENGTH = 300_000;
const MAX_MS = 5_000;

for (const [name, { read, start = "", letters }] of Object.entries(READERS)) {
  test(`${name} is read in linear time`, () => {
    for (const unit of letters) {
      for (const end of ["", "\u0001", "x"]) {
        const text = `${start}${unit.repeat(LENGTH / unit.length)}${end}`;
        const startedAt = performance.now();
        read(text);
        const elapsed = performance.now() - startedAt;
        assert.ok(elapsed < MAX_MS, `${JSON.stringify(unit)} takes ${Math.round(elapsed)} ms`);
      }
    }
  });
}
