/** The files of a release: one link per platform, the list with checksums, and how to verify one. */
import type { Language } from "../../contract/language.ts";
import type { Release, ReleaseArtifact } from "../../contract/release/schemas.ts";
import {
  ARTIFACT_PLATFORMS,
  DISTRIBUTION_PLATFORMS,
  type ArtifactPlatform,
} from "../../contract/release/values.ts";
import { chooseArtifact } from "../../rules/release/choose-artifact.ts";
import { formatSize } from "../format.ts";
import { html, type Html } from "../html.ts";
import { httpsHref } from "../safe-link.ts";
import { heading, type HeadingLevel } from "./localise-release.ts";
import { DOWNLOAD_TEXTS } from "./texts.ts";

/** The artifact that the download route chooses for this platform. */
function defaultArtifact(
  { artifacts }: Release,
  platform: ArtifactPlatform,
): ReleaseArtifact | undefined {
  const distributed = DISTRIBUTION_PLATFORMS.find((candidate) => candidate === platform);
  return distributed && chooseArtifact(artifacts, distributed);
}

/** The default artifact, or else the first that a person can install. */
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
    ${href === null ? name : html`<a class="target" href="${href}">${name}</a>`}
    <p class="row facts">
      ${fileFacts(artifact, language).map((fact) => html`<span>${fact}</span> `)}
    </p>
    <p class="row digest">
      <span class="digest-name">SHA-256</span> <code>${artifact.sha256}</code>
    </p>
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

function architectureName({ architecture }: ReleaseArtifact, language: Language): string {
  return DOWNLOAD_TEXTS[language].architectures.get(architecture) ?? architecture;
}

export function platformLinks(release: Release, language: Language): Html {
  const links = ARTIFACT_PLATFORMS.map((platform) => platformLink(release, platform, language));
  return html`<ul class="row platforms">
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
  // For the script. The button offers no file for a less common processor.
  const data =
    isDefault &&
    html` data-platform="${platform}" data-label="${texts.downloadFor(name)}"
    data-detail="${texts.version(release.version)} · ${size}"`;
  const detail = isDefault ? size : `${architectureName(artifact, language)}, ${size}`;
  return html`<li>
    <a class="button" href="${href}" ${data}
      ><span class="platform">${name}</span> <span class="size">${detail}</span></a
    >
  </li>`;
}

const CHECKSUM_COMMANDS = {
  windows: "Get-FileHash",
  macos: "shasum -a 256",
  linux: "sha256sum",
  android: "sha256sum",
} as const;
const CHECKED_PLATFORMS = ["windows", "macos", "linux", "android"] as const;

export function checksumGuide(release: Release, language: Language): Html {
  const texts = DOWNLOAD_TEXTS[language];
  const steps = CHECKED_PLATFORMS.map((platform) => {
    const artifact = mainArtifact(release, platform);
    return (
      artifact &&
      html`<li>
        ${texts.checkOn[platform]} <code>${CHECKSUM_COMMANDS[platform]} ${artifact.fileName}</code>
      </li>`
    );
  });
  return html`<details class="more">
    <summary>${texts.howToCheck}</summary>
    <p>${texts.checkIntro}</p>
    <ul class="steps">
      ${steps}
    </ul>
    <p>${texts.checkResult}</p>
  </details>`;
}
