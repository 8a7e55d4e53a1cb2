/** What a browser may do with the page: nothing but its own style, its own script, these images. */
import type { Release } from "../../contract/release/schemas.ts";
import { DOWNLOAD_SCRIPT } from "../generated/download-script.ts";
import { DOWNLOAD_STYLE } from "../generated/download-style.ts";
import { LANGUAGES } from "../language.ts";
import { policySource } from "../safe-link.ts";
import { tellStory } from "./story.ts";

export function contentSecurityPolicy(
  newest: Release | undefined,
  sha256: (text: string) => string,
): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${sha256(DOWNLOAD_STYLE)}'`,
    `script-src 'sha256-${sha256(DOWNLOAD_SCRIPT)}'`,
    ["img-src 'self'", ...imageSources(newest)].join(" "),
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

/** Of all languages together, so that one header fits every page. */
function imageSources(newest: Release | undefined): string[] {
  const sources = LANGUAGES.flatMap((language) =>
    newest === undefined
      ? []
      : tellStory(newest, language).highlights.map(({ imageUrl }) =>
          imageUrl === null ? null : policySource(imageUrl),
        ),
  );
  return [...new Set(sources.filter((source) => source !== null))].sort();
}
