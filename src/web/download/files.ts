/** The files of a release: a link per platform, and the list with checksums and how to verify them. */
import type { PublishedSource, SourceArtifact } from "../../contract/release/catalog.ts";
import type { Language } from "../../contract/language.ts";
import {
  ARTIFACT_PLATFORMS,
  DISTRIBUTION_PLATFORMS,
  type ArtifactPlatform,
} from "../../contract/release/values.ts";
import { appVersionOf } from "../../rules/release/app-version.ts";
import { isForUpdaters } from "../../rules/release/file-kinds.ts";
import { chooseArtifact, isDirect } from "../../rules/release/choose-artifact.ts";
import { copyButton } from "../components.ts";
import { capitalise, formatSize } from "../format.ts";
import { html, type Html } from "../html.ts";
import { httpsHref } from "../safe-link.ts";
import { architectureName, minimumSystem, processorOf } from "./architectures.ts";
import { heading, type HeadingLevel } from "./localise-release.ts";
import { DOWNLOAD_TEXTS } from "./texts.ts";
import { savedName, verifyLine } from "./verify-files.ts";

export interface PlatformFiles {
  readonly platform: ArtifactPlatform;
  readonly artifacts: readonly SourceArtifact[];
}

/** What a visitor can install; a bundle for a store is not, and neither is a file for updaters. */
export function filesByPlatform({ artifacts }: PublishedSource): PlatformFiles[] {
  return ARTIFACT_PLATFORMS.map((platform) => ({
    platform,
    artifacts: artifacts.filter(
      (artifact) =>
        artifact.platform === platform && isDirect(artifact) && !isForUpdaters(artifact.fileName),
    ),
  })).filter((group) => group.artifacts.length > 0);
}

/** The artifact that the download route chooses for this platform. */
export function defaultArtifact({
  platform,
  artifacts,
}: PlatformFiles): SourceArtifact | undefined {
  const distributed = DISTRIBUTION_PLATFORMS.find((candidate) => candidate === platform);
  const chosen = distributed && chooseArtifact(artifacts, distributed);
  return artifacts.find((artifact) => artifact === chosen);
}

/** With `isVerified` each platform has the command that verifies its file. */
export function fileList(
  release: PublishedSource,
  language: Language,
  level: HeadingLevel,
  isVerified = false,
): Html {
  return html`<div class="file-groups">
    ${filesByPlatform(release).map(
      (group) =>
        html`<div class="file-group">
          ${heading(level, DOWNLOAD_TEXTS[language].platforms[group.platform])}
          <div>
            <ul class="files">
              ${group.artifacts.map((artifact) => fileItem(release, artifact, language))}
            </ul>
            ${isVerified && verifyLine(defaultArtifact(group) ?? group.artifacts[0], language)}
          </div>
        </div>`,
    )}
  </div>`;
}

function fileItem(release: PublishedSource, artifact: SourceArtifact, language: Language): Html {
  const texts = DOWNLOAD_TEXTS[language];
  const href = httpsHref(artifact.url);
  const fileName = savedName(artifact);
  const name = html`<span class="file-name">${fileName}</span>`;
  return html`<li class="file">
    ${
      href === null
        ? name
        : html`<a class="target" href="${href}" ${scriptData(release, artifact, language)}
            >${name}</a
          >`
    }
    <p class="row meta facts">
      ${fileFacts(artifact, language).map((fact) => html`<span>${fact}</span> `)}
    </p>
    <p class="row fine digest">
      <span class="digest-name">SHA-256</span> <code>${artifact.sha256}</code>
      ${copyButton(artifact.sha256, texts.checksumOf(fileName), language)}
    </p>
  </li>`;
}

function fileFacts(artifact: SourceArtifact, language: Language): string[] {
  const texts = DOWNLOAD_TEXTS[language];
  const system = minimumSystem(artifact, language);
  return [
    capitalise(architectureName(artifact, language), language),
    ...(system === null ? [] : [texts.orLater(system)]),
    formatSize(artifact.size, language),
    ...signature(artifact, language),
  ];
}

/** Windows and macOS warn about a program without a code signature; other systems have none. */
function signature({ platform, signed }: SourceArtifact, language: Language): string[] {
  const { signed: isSigned, unsigned } = DOWNLOAD_TEXTS[language];
  if (platform !== "windows" && platform !== "macos") return signed ? [isSigned] : [];
  return [signed ? isSigned : unsigned];
}

export function platformLinks(release: PublishedSource, language: Language): Html | null {
  const links = filesByPlatform(release).flatMap((group) => {
    const chosen = defaultArtifact(group);
    return chosen === undefined
      ? // A visitor must choose between processors.
        group.artifacts.map((artifact) => platformLink(release, artifact, false, language))
      : [platformLink(release, chosen, true, language)];
  });
  if (links.every((link) => link === null)) return null;
  return html`<ul class="platforms">
    ${links}
  </ul>`;
}

function platformLink(
  release: PublishedSource,
  artifact: SourceArtifact,
  isDefault: boolean,
  language: Language,
): Html | null {
  const href = httpsHref(artifact.url);
  if (href === null) return null;
  const texts = DOWNLOAD_TEXTS[language];
  const name = texts.platforms[artifact.platform];
  const size = formatSize(artifact.size, language);
  const data = isDefault && scriptData(release, artifact, language);
  const detail = isDefault ? size : `${architectureName(artifact, language)}, ${size}`;
  return html`<li>
    <a class="button" href="${href}" ${data}
      ><span class="platform">${name}</span> <span class="size">${detail}</span></a
    >
  </li>`;
}

/** From this the script chooses a file for the button, and says what it is. */
function scriptData(release: PublishedSource, artifact: SourceArtifact, language: Language): Html {
  const texts = DOWNLOAD_TEXTS[language];
  const { platform, size } = artifact;
  const processor = processorOf(artifact);
  const facts = [
    texts.version(appVersionOf(release)),
    ...(processor === "universal" ? [] : [architectureName(artifact, language)]),
    formatSize(size, language),
  ];
  return html` data-platform="${platform}" data-processor="${processor}"
  data-label="${texts.downloadFor(texts.platforms[platform])}" data-detail="${facts.join(" · ")}"`;
}
