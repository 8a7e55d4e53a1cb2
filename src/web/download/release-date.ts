/** When a release came out, for people and for machines. */
import type { Release } from "../../contract/release/schemas.ts";
import { formatDate } from "../format.ts";
import { html, type Html } from "../html.ts";
import type { Language } from "../language.ts";
import { publishedAt } from "./story.ts";

export function releaseDate(release: Release, language: Language): Html {
  const instant = publishedAt(release);
  const day = new Date(instant).toISOString().slice(0, 10);
  return html`<time datetime="${day}">${formatDate(instant, language)}</time>`;
}
