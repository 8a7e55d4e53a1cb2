/** What a browser shows for an address of a release or a download that does not exist. */
import type { Language } from "../../contract/language.ts";
import type { ReleaseErrorCode } from "../../contract/release/errors.ts";
import type { ErrorTexts } from "../error-card.ts";

type MissingCode = Extract<
  ReleaseErrorCode,
  "release_not_found" | "platform_not_supported" | "artifact_not_found"
>;

/** The texts of the code; undefined where those of any missing page do. */
export function missingReleaseTexts(language: Language, code: string): ErrorTexts | undefined {
  const texts: Readonly<Record<string, ErrorTexts>> = TEXTS[language];
  return texts[code];
}

const TEXTS = {
  en: {
    release_not_found: {
      title: "Release not found",
      detail: "This version was never published, or the channel has no release yet.",
    },
    platform_not_supported: {
      title: "No downloads for this system",
      detail: "Downloads exist for Android, Windows, Linux and macOS.",
    },
    artifact_not_found: {
      title: "Download not found",
      detail: "The newest release has no file for this system and processor.",
    },
  },
  de: {
    release_not_found: {
      title: "Version nicht gefunden",
      detail: "Diese Version wurde nie veröffentlicht, oder der Kanal hat noch keine.",
    },
    platform_not_supported: {
      title: "Keine Downloads für dieses System",
      detail: "Downloads gibt es für Android, Windows, Linux und macOS.",
    },
    artifact_not_found: {
      title: "Download nicht gefunden",
      detail: "Die neueste Version hat keine Datei für dieses System und diesen Prozessor.",
    },
  },
} satisfies Record<Language, Record<MissingCode, ErrorTexts>>;
