/** The files of a release: which one a platform gets first, and the list with sizes and checksums. */
import type { Release, ReleaseArtifact } from "../../contract/release/schemas.ts";
import {
  ARTIFACT_PLATFORMS,
  DISTRIBUTION_PLATFORMS,
  type ArtifactPlatform,
} from "../../contract/release/values.ts";
import { chooseArtifact } from "../../rules/release/choose-artifact.ts";
import { formatSize } from "../format.ts";
import { html, type Html } from "../html.ts";
import type { Language } from "../language.ts";
import { httpsHref } from "../safe-link.ts";
import { heading, type HeadingLevel } from "./heading.ts";
import { DOWNLOAD_TEXTS } from "./texts.ts";

/** What the download route would answer for this platform, if the release has it. */
export function defaultArtifact(
  { artifacts }: Release,
  platform: ArtifactPlatform,
): ReleaseArtifact | undefined {
  const distributed = DISTRIBUTION_PLATFORMS.find((candidate) => candidate === platform);
  return distributed && chooseArtifact(artifacts, distributed);
}

/** The file to offer for a platform: the default one, or the first a person can install. */
export function mainArtifact(
  release: Release,
  platform: ArtifactPlatform,
): ReleaseArtifact | undefined {
  return (
    defaultArtifact(release, platform) ??
    release.artifacts.find(
      (artifact) => artifact.platform === platform && artifact.distribution !== "play",
    )
  );
}

export function fileList(release: Release, language: Language, level: HeadingLevel): Html {
  const groups = ARTIFACT_PLATFORMS.map((platform) => ({
    platform,
    artifacts: release.artifacts.filter((artifact) => artifact.platform === platform),
  })).filter(({ artifacts }) => artifacts.length > 0);
  return html`<div class="file-groups">
    ${groups.map(
      ({ platform, artifacts }) =>
        html`<div class="file-group">
          ${heading(level, DOWNLOAD_TEXTS[language].platforms[platform])}
          <ul class="files">
            ${artifacts.map((artifact) => fileItem(artifact, language))}
          </ul>
        </div>`,
    )}
  </div>`;
}

function fileItem(artifact: ReleaseArtifact, language: Language): Html {
  const href = httpsHref(artifact.url);
  const name = html`<span class="file-name">${artifact.fileName}</span>`;
  return html`<li class="file">
    ${href === null ? name : html`<a class="file-link" href="${href}">${name}</a>`}
    <p class="facts">${fileFacts(artifact, language).map((fact) => html`<span>${fact}</span> `)}</p>
    <p class="digest"><span class="digest-name">SHA-256</span> <code>${artifact.sha256}</code></p>
  </li>`;
}

function fileFacts(artifact: ReleaseArtifact, language: Language): string[] {
  const texts = DOWNLOAD_TEXTS[language];
  const facts = [
    architectureName(artifact, language),
    formatSize(artifact.size, language),
    artifact.signed ? texts.signed : texts.unsigned,
  ];
  return artifact.distribution === "play" ? [...facts, texts.forPlay] : facts;
}

export function architectureName({ architecture }: ReleaseArtifact, language: Language): string {
  return DOWNLOAD_TEXTS[language].architectures.get(architecture) ?? architecture;
}
