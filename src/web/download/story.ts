/** A release as one language tells it. Without a written story its notes and version must do. */
import { parseDateTime } from "../../contract/date-time.ts";
import type { Release, ReleaseHighlight, ReleaseNotes } from "../../contract/release/schemas.ts";
import type { Language } from "../language.ts";
import { policySource } from "../safe-link.ts";
import { DOWNLOAD_TEXTS } from "./texts.ts";

export interface Story {
  readonly headline: string;
  readonly summary: string | null;
  readonly highlights: readonly StoryHighlight[];
  readonly changes: ReleaseNotes;
}

export interface StoryHighlight extends ReleaseHighlight {
  readonly imageUrl: string | null;
}

export function tellStory(release: Release, language: Language): Story {
  const told = release.presentation?.[language];
  if (told === undefined) {
    const headline = DOWNLOAD_TEXTS[language].version(release.version);
    return { headline, summary: null, highlights: [], changes: release.notes };
  }
  const highlights = told.highlights.map((highlight) => ({
    ...highlight,
    imageUrl: findImage(release, highlight),
  }));
  return { ...told, highlights };
}

export function publishedAt(release: Release): number {
  return parseDateTime(release.publishedAt) ?? 0;
}

/** Where on the page of a language a release is told. */
export function releaseAnchor({ version }: Release): string {
  return `release-${version}`;
}

/** Only what the page's policy can allow is shown: the policy is made from these very addresses. */
function findImage(release: Release, highlight: ReleaseHighlight): string | null {
  const image = release.media?.find(({ id }) => id === highlight.mediaId);
  return image === undefined || policySource(image.url) === null ? null : new URL(image.url).href;
}
