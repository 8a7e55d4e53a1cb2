/** How a person checks a download, with the file names of this very release. */
import type { Release } from "../../contract/release/schemas.ts";
import { html, type Html } from "../html.ts";
import type { Language } from "../language.ts";
import { mainArtifact } from "./files.ts";
import { DOWNLOAD_TEXTS } from "./texts.ts";

const COMMANDS = {
  windows: "Get-FileHash",
  macos: "shasum -a 256",
  linux: "sha256sum",
  android: "sha256sum",
} as const;
const PLATFORMS = ["windows", "macos", "linux", "android"] as const;

export function checkGuide(release: Release, language: Language): Html {
  const texts = DOWNLOAD_TEXTS[language];
  const steps = PLATFORMS.map((platform) => {
    const artifact = mainArtifact(release, platform);
    return (
      artifact &&
      html`<li>
        ${texts.checkOn[platform]} <code>${COMMANDS[platform]} ${artifact.fileName}</code>
      </li>`
    );
  });
  return html`<details class="more">
    <summary>${texts.howToCheck}</summary>
    <p>${texts.checkIntro}</p>
    <ul class="steps">
      ${steps}
    </ul>
    <p>${texts.checkOutcome}</p>
  </details>`;
}
