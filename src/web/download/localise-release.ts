/** A release in one language. Without a presentation it has only its version and its notes. */
import { parseDateTime } from "../../contract/date-time.ts";
import type { Language } from "../../contract/language.ts";
import type { PublishedSource } from "../../contract/release/catalog.ts";
import type { Release, ReleaseHighlight, ReleaseNotes } from "../../contract/release/schemas.ts";
import { appVersionOf } from "../../rules/release/app-version.ts";
import { formatDate } from "../format.ts";
import { noteToHtml } from "../../rules/release/note.ts";
import { escapeHtml, html, trustedHtml, type Html } from "../html.ts";
import { policySource } from "../safe-link.ts";
import { DOWNLOAD_TEXTS } from "./texts.ts";

export interface LocalisedRelease {
  readonly headline: string;
  readonly summary: string | null;
  readonly highlights: readonly LocalisedHighlight[];
  readonly changes: ReleaseNotes;
}

export interface LocalisedHighlight extends ReleaseHighlight {
  readonly imageUrl: string | null;
}

export function localiseRelease(release: PublishedSource, language: Language): LocalisedRelease {
  const presentation = release.presentation?.[language];
  if (presentation === undefined) {
    const headline = DOWNLOAD_TEXTS[language].version(appVersionOf(release));
    return { headline, summary: null, highlights: [], changes: release.notes };
  }
  const highlights = presentation.highlights.map((highlight) => ({
    ...highlight,
    imageUrl: findImageUrl(release, highlight),
  }));
  return { ...presentation, highlights };
}

/** Finds only images that the Content-Security-Policy can allow. */
function findImageUrl(release: Release, highlight: ReleaseHighlight): string | null {
  const image = release.media?.find(({ id }) => id === highlight.mediaId);
  return image === undefined || policySource(image.url) === null ? null : new URL(image.url).href;
}

export function publishedAt(release: Release): number {
  return parseDateTime(release.publishedAt) ?? 0;
}

/** The element id of a release on each page. */
export function releaseAnchor({ version }: Pick<Release, "version">): string {
  return `release-${version}`;
}

export function releaseDate(release: Release, language: Language): Html {
  return dateElement(publishedAt(release), language);
}

export function dateElement(instant: number, language: Language): Html {
  const day = new Date(instant).toISOString().slice(0, 10);
  return html`<time datetime="${day}">${formatDate(instant, language)}</time>`;
}

const CHANGE_ORDER = ["security", "added", "changed", "fixed"] as const;

export type HeadingLevel = 3 | 4;

export function changeList(
  changes: ReleaseNotes,
  language: Language,
  level: HeadingLevel,
): Html | null {
  const kinds = CHANGE_ORDER.filter((kind) => changes[kind].length > 0);
  if (kinds.length === 0) return null;
  return html`<div class="changes">
    ${kinds.map(
      (kind) =>
        html`<div class="change-kind">
          ${heading(level, DOWNLOAD_TEXTS[language].changeKinds[kind])}
          <ul>
            ${changes[kind].map((change) => html`<li>${trustedHtml(noteToHtml(change, escapeHtml))}</li>`)}
          </ul>
        </div>`,
    )}
  </div>`;
}

export function heading(level: HeadingLevel, text: string): Html {
  return level === 3 ? html`<h3>${text}</h3>` : html`<h4>${text}</h4>`;
}
