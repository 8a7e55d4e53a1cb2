/**
 * Leads a visitor to the page in their language, shows on the download button which file the server would choose by
 * User-Agent, or the one of the visitor's processor, and lets checksums be copied. The page works without it. It runs
 * in the head: before anything is shown in the wrong language.
 */
import { LANGUAGES, type Language } from "../../contract/language.ts";
import { detectPlatform } from "../../rules/release/detect-platform.ts";
import { enableCopying } from "../copy-button.ts";
import { writeText } from "../page-script.ts";
import type { Architecture } from "./architectures.ts";
import { processorOfAgent, processorOfHints, type ProcessorHints } from "./detect-processor.ts";
import { DEFAULT_LANGUAGE, LANGUAGE_PARAMETER, pageFolder } from "./site-paths.ts";

/** Leads on only from the page at the top, and not after a choice, so that no visitor goes in a circle. */
function findTranslation(): string | null {
  const { protocol, search, hash } = location;
  const hasChosen = new URLSearchParams(search).has(LANGUAGE_PARAMETER);
  if (document.documentElement.lang !== DEFAULT_LANGUAGE || hasChosen) return null;
  const language = preferredLanguage();
  // A folder of files has no index.
  if (language === DEFAULT_LANGUAGE || !protocol.startsWith("http")) return null;
  return `${pageFolder(language)}${search}${hash}`;
}

function preferredLanguage(): Language {
  const wanted = navigator.languages.map((tag) => tag.toLowerCase().split("-")[0]);
  const known = wanted.flatMap((tag) => LANGUAGES.find((language) => language === tag) ?? []);
  return known[0] ?? DEFAULT_LANGUAGE;
}

function improveButton(button: HTMLAnchorElement, processor: Architecture | null): void {
  const isIos = isIphoneOrIpad();
  const platform = isIos ? null : detectPlatform(navigator.userAgent);
  const { otherLabel = "", iosUrl, iosLabel = "", iosDetail = "" } = button.dataset;
  const note = document.querySelector<HTMLElement>("#ios-note");
  if (isIos && note !== null) note.hidden = false;
  if (isIos && iosUrl !== undefined) return offer(button, iosUrl, iosLabel, iosDetail);
  const usual = findFile(`#download [data-platform="${platform}"]`);
  if (usual !== null && runsOn(usual, processor)) return offerFile(button, usual);
  const own = findFile(`#files [data-platform="${platform}"][data-processor="${processor}"]`);
  if (own !== null) return offerFile(button, own);
  // For other systems the server would redirect to this page.
  if (usual === null) return offer(button, "#files", otherLabel, "");
  const { noFileDetail = "", emulatedDetail = "" } = button.dataset;
  if (platform !== "windows") return offer(button, "#files", otherLabel, noFileDetail);
  offerFile(button, usual, emulatedDetail);
}

function findFile(selector: string): HTMLAnchorElement | null {
  return document.querySelector<HTMLAnchorElement>(selector);
}

/** The processor of the visitor or of the file may be unknown. */
function runsOn({ dataset }: HTMLAnchorElement, processor: Architecture | null): boolean {
  const { processor: needed = "" } = dataset;
  return processor === null || ["", "universal", processor].includes(needed);
}

function offerFile(
  button: HTMLAnchorElement,
  file: HTMLAnchorElement,
  detail = file.dataset["detail"] ?? "",
): void {
  offer(button, file.href, file.dataset["label"] ?? "", detail);
}

declare global {
  interface Navigator {
    readonly userAgentData?: {
      getHighEntropyValues(hints: readonly string[]): Promise<ProcessorHints>;
    };
  }
}

/** Without a response the button stays as it is, and names the processor of its file. */
async function improveByHints(button: HTMLAnchorElement): Promise<void> {
  const names = ["architecture", "bitness"];
  const hints = await navigator.userAgentData?.getHighEntropyValues(names).catch(() => null);
  const processor = hints ? processorOfHints(hints) : null;
  if (processor !== null) improveButton(button, processor);
}

/** An iPad reports itself as a Mac, but no Mac has a touch screen. */
function isIphoneOrIpad(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  return /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 0);
}

function offer(button: HTMLAnchorElement, url: string, label: string, detail: string): void {
  button.href = url;
  writeText(button, ".button-label", label);
  writeText(button, ".button-detail", detail);
}

function improvePage(): void {
  const button = document.querySelector<HTMLAnchorElement>("#download-button");
  if (button !== null) {
    const named = processorOfAgent(navigator.userAgent);
    improveButton(button, named);
    if (named === null) void improveByHints(button);
  }
  enableCopying();
}

const translation = findTranslation();
if (translation === null) document.addEventListener("DOMContentLoaded", improvePage);
else location.replace(translation);
