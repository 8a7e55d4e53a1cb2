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
    item(texts.platforms[platform], requirementLines(artifacts, language)),
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

/** Systems, then processors; a processor whose files need another system is named with that instead. */
function requirementLines(artifacts: readonly SourceArtifact[], language: Language): string[] {
  const texts = DOWNLOAD_TEXTS[language];
  const files = artifacts.map((artifact) => {
    const system = minimumSystem(artifact, language);
    const processor = architectureName(artifact, language);
    return { processor, line: system === null ? null : texts.orLater(system) };
  });
  const isNamed = isSeveral(files.map(({ line }) => line)) && isSeveral(files.map(processorOf));
  const systems = files.flatMap(({ processor, line }) => {
    if (line === null) return [];
    return isNamed ? [`${line} (${processor})`] : [line];
  });
  const named = isNamed ? files.filter(({ line }) => line !== null).map(processorOf) : [];
  const processors = files.map(processorOf).filter((name) => !named.includes(name));
  return [...new Set([...systems, ...processors.map((name) => capitalise(name, language))])];
}

function processorOf({ processor }: { readonly processor: string }): string {
  return processor;
}

function isSeveral(values: readonly unknown[]): boolean {
  return new Set(values).size > 1;
}

function iosItem(stores: readonly SiteStore[], language: Language): Html {
  const texts = DOWNLOAD_TEXTS[language];
  const links = storeLinks(stores.filter(({ platform }) => platform === "ios"));
  return item(texts.iphone, links.length > 0 ? links : [texts.notForIphone]);
}
