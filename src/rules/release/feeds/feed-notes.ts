/** The notes of a release as plain text, and as HTML in one language. */
import type { ReleaseNotes } from "../../../contract/release/schemas.ts";
import type { Language } from "../../../contract/language.ts";
import { hasNotes } from "../changelog.ts";
import { noteToHtml, noteToText } from "../note.ts";
import { escapeMarkup } from "./markup.ts";
import type { FeedRelease } from "./feed-release.ts";

type Notable = Pick<FeedRelease, "notes" | "presentation">;

const KINDS = ["security", "added", "changed", "fixed"] as const;

const HEADINGS = {
  en: { added: "Added", changed: "Changed", fixed: "Fixed", security: "Security" },
  de: { added: "Neu", changed: "Geändert", fixed: "Behoben", security: "Sicherheit" },
} as const satisfies Record<Language, Record<(typeof KINDS)[number], string>>;

/** Empty when the release has nothing to say. Feeds with one text for everybody have it in English. */
export function notesToText({ notes, presentation }: Notable): string {
  const localised = presentation?.en;
  const changes = hasNotes(notes) || localised === undefined ? notes : localised.changes;
  const sections = KINDS.filter((kind) => changes[kind].length > 0).map((kind) =>
    [HEADINGS.en[kind], ...changes[kind].map((note) => `- ${noteToText(note)}`)].join("\n"),
  );
  return [
    ...(localised === undefined ? [] : [localised.headline, localised.summary]),
    ...sections,
  ].join("\n\n");
}

/** Texts of the catalogue are escaped: the elements are those below, links and no others. */
export function notesToHtml({ notes, presentation }: Notable, language: Language): string {
  const localised = presentation?.[language];
  const headings = HEADINGS[language];
  if (localised === undefined) return changesToHtml(notes, headings);
  const highlights = localised.highlights.map(
    ({ title, description }) =>
      `<li><strong>${escapeMarkup(title)}</strong><br>${escapeMarkup(description)}</li>`,
  );
  return [
    `<h2>${escapeMarkup(localised.headline)}</h2>`,
    `<p>${escapeMarkup(localised.summary)}</p>`,
    ...(highlights.length === 0 ? [] : [`<ul>${highlights.join("")}</ul>`]),
    changesToHtml(localised.changes, headings),
  ].join("");
}

function changesToHtml(
  changes: ReleaseNotes,
  headings: Readonly<Record<(typeof KINDS)[number], string>>,
): string {
  return KINDS.filter((kind) => changes[kind].length > 0)
    .map((kind) => {
      const items = changes[kind].map((note) => `<li>${noteToHtml(note, escapeMarkup)}</li>`);
      return `<h3>${headings[kind]}</h3><ul>${items.join("")}</ul>`;
    })
    .join("");
}
