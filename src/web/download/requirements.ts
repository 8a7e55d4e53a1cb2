/** What a visitor's device must have, per platform, and what owners of an iPhone should know. */
import type { PublishedSource, SourceArtifact } from "../../contract/release/catalog.ts";
import type { Language } from "../../contract/language.ts";
import type { SiteStore } from "../../contract/release/site.ts";
import { capitalise } from "../format.ts";
import { html, type Html } from "../html.ts";
import { architectureName, minimumSystem } from "./architectures.ts";
import { filesByPlatform } from "./files.ts";
import { storeLinks } from "./stores.ts";
import { DOWNLOAD_TEXTS } from "./texts.ts";

export function requirementSection(
  release: PublishedSource,
  stores: readonly SiteStore[],
  language: Language,
): Html {
  const texts = DOWNLOAD_TEXTS[language];
  const groups = filesByPlatform(release);
  const items = groups.map(({ platform, artifacts }) =>
    item(texts.platforms[platform], [
      ...systemLines(artifacts, language),
      ...processorLines(artifacts, language),
    ]),
  );
  const isForIos = groups.some(({ platform }) => platform === "ios");
  return html`<section id="requirements" aria-labelledby="requirements-title">
    <h2 id="requirements-title">${texts.requirements}</h2>
    <ul class="requirements">
      ${items} ${!isForIos && iosItem(stores, language)}
    </ul>
  </section>`;
}

function item(name: string, lines: readonly (string | Html)[]): Html {
  return html`<li class="panel requirement">
    <h3>${name}</h3>
    ${lines.map((line) => html`<p>${line}</p>`)}
  </li>`;
}

/** The processors are named where the files need different systems. */
function systemLines(artifacts: readonly SourceArtifact[], language: Language): string[] {
  const texts = DOWNLOAD_TEXTS[language];
  const systems = artifacts.map((artifact) => {
    const system = minimumSystem(artifact, language);
    return { artifact, line: system === null ? null : texts.orLater(system) };
  });
  const isSame = new Set(systems.map(({ line }) => line)).size === 1;
  const lines = systems.flatMap(({ artifact, line }) => {
    if (line === null) return [];
    return isSame ? [line] : [`${line} (${architectureName(artifact, language)})`];
  });
  return [...new Set(lines)];
}

function processorLines(artifacts: readonly SourceArtifact[], language: Language): string[] {
  const names = artifacts.map((artifact) => architectureName(artifact, language));
  return [...new Set(names)].map((name) => capitalise(name, language));
}

function iosItem(stores: readonly SiteStore[], language: Language): Html {
  const texts = DOWNLOAD_TEXTS[language];
  const links = storeLinks(stores.filter(({ platform }) => platform === "ios"));
  return item(texts.iphone, links.length > 0 ? links : [texts.notForIphone]);
}
