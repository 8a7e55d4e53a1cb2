/** How a visitor verifies a downloaded file: its name, its checksum and the command that computes one. */
import type { SourceArtifact } from "../../contract/release/catalog.ts";
import type { Language } from "../../contract/language.ts";
import type { ArtifactPlatform } from "../../contract/release/values.ts";
import { fileNameOfUrl } from "../../rules/release/file-name.ts";
import { copyButton } from "../components.ts";
import { html, type Html } from "../html.ts";
import { DOWNLOAD_TEXTS } from "./texts.ts";

/** Each command is part of its system. Files for phones are verified on a computer before the copy. */
const COMMANDS: Readonly<Partial<Record<ArtifactPlatform, (file: string) => string>>> = {
  windows: (file) => `certutil -hashfile ${file} SHA256`,
  macos: (file) => `shasum -a 256 ${file}`,
  linux: (file) => `sha256sum ${file}`,
  android: (file) => `sha256sum ${file}`,
};

export function verifyLine(artifact: SourceArtifact | undefined, language: Language): Html | null {
  const command = artifact && COMMANDS[artifact.platform];
  if (artifact === undefined || command === undefined) return null;
  const texts = DOWNLOAD_TEXTS[language];
  const name = savedName(artifact);
  const text = command(/^[\w.+-]+$/.test(name) ? name : `"${name}"`);
  return html`<p class="row fine verify">
    <span>${texts.verifyOn[artifact.platform]}</span> <code>${text}</code>
    ${copyButton(text, texts.commandFor(name), language)}
  </p>`;
}

// Plain enough for every shell between double quotes.
const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9 ._+()-]*$/;

/** A browser saves a file under the end of its address, which may have characters that `fileName` cannot. */
export function savedName({ url, fileName }: Pick<SourceArtifact, "url" | "fileName">): string {
  const name = fileNameOfUrl(url);
  return PLAIN_NAME.test(name) && extension(name) === extension(fileName) ? name : fileName;
}

function extension(name: string): string {
  return name.slice(name.lastIndexOf(".")).toLowerCase();
}
