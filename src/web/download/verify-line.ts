/** The command with which a visitor computes the checksum of a downloaded file. */
import type { SourceArtifact } from "../../contract/release/catalog.ts";
import type { Language } from "../../contract/language.ts";
import type { ArtifactPlatform } from "../../contract/release/values.ts";
import { html, type Html } from "../html.ts";
import { copyButton } from "./copy-button.ts";
import { savedName } from "./saved-name.ts";
import { DOWNLOAD_TEXTS } from "./texts.ts";

/** Each is part of its system. Files for phones are verified on a computer before they are copied. */
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
  return html`<p class="row verify">
    <span>${texts.verifyOn[artifact.platform]}</span> <code>${text}</code>
    ${copyButton(text, texts.commandFor(name), language)}
  </p>`;
}
