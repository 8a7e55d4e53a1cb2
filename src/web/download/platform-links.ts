/** One plain link per platform, to the file most visitors of it want. */
import type { Release } from "../../contract/release/schemas.ts";
import { ARTIFACT_PLATFORMS, type ArtifactPlatform } from "../../contract/release/values.ts";
import { formatSize } from "../format.ts";
import { html, type Html } from "../html.ts";
import type { Language } from "../language.ts";
import { httpsHref } from "../safe-link.ts";
import { architectureName, defaultArtifact, mainArtifact } from "./files.ts";
import { DOWNLOAD_TEXTS } from "./texts.ts";

export function platformLinks(release: Release, language: Language): Html {
  const links = ARTIFACT_PLATFORMS.map((platform) => platformLink(release, platform, language));
  return html`<ul class="platforms">
    ${links}
  </ul>`;
}

function platformLink(
  release: Release,
  platform: ArtifactPlatform,
  language: Language,
): Html | null {
  const artifact = mainArtifact(release, platform);
  const href = artifact === undefined ? null : httpsHref(artifact.url);
  if (artifact === undefined || href === null) return null;
  const texts = DOWNLOAD_TEXTS[language];
  const name = texts.platforms[platform];
  const size = formatSize(artifact.size, language);
  const isDefault = artifact === defaultArtifact(release, platform);
  // For the script: what the button may promise. A file for a rarer processor is no promise.
  const promise =
    isDefault &&
    html` data-platform="${platform}" data-label="${texts.downloadFor(name)}"
    data-detail="${texts.version(release.version)} · ${size}"`;
  const detail = isDefault ? size : `${architectureName(artifact, language)}, ${size}`;
  return html`<li>
    <a href="${href}" ${promise}
      ><span class="platform">${name}</span> <span class="size">${detail}</span></a
    >
  </li>`;
}
