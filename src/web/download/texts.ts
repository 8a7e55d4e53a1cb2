/** The texts of the download page and its feed. */
import type { Language } from "../../contract/language.ts";
import type { ReleaseNotes } from "../../contract/release/schemas.ts";
import type { ArtifactPlatform } from "../../contract/release/values.ts";

const en = {
  skipLink: "Skip to the download",
  title: (product: string, version: string) => `Download ${product} ${version}`,
  version: (version: string) => `Version ${version}`,
  build: (build: number) => `build ${build}`,
  newVersion: (version: string) => `New: version ${version}`,
  downloadForYourSystem: "Download for your system",
  picksTheRightFile: "The right file is selected automatically",
  downloadFor: (platform: string) => `Download for ${platform}`,
  seeAllFiles: "See all files",
  chooseYourSystem: "Or choose your system",
  whatIsNew: "What’s new",
  allChanges: "All changes",
  changeKinds: {
    added: "Added",
    changed: "Changed",
    fixed: "Fixed",
    security: "Security",
  } satisfies Record<keyof ReleaseNotes, string>,
  oldestSupported: (version: string) => `Versions before ${version} are no longer supported`,
  requiredFrom: (date: string) => `Older versions need this update from ${date}`,
  requiredSince: (date: string) => `Older versions have needed this update since ${date}`,
  allFiles: "All files",
  allFilesOf: (version: string) => `All files of version ${version}`,
  aboutChecksums:
    "Each file has a SHA-256 checksum: a fingerprint that shows whether you received exactly what was published. The same values are in the",
  signedManifest: "signed manifest",
  platforms: {
    android: "Android",
    windows: "Windows",
    linux: "Linux",
    macos: "macOS",
    ios: "iOS",
    web: "Web",
  } satisfies Record<ArtifactPlatform, string>,
  architectures: new Map([
    ["universal", "all devices"],
    ["x64", "64-bit (x64)"],
    ["arm64", "64-bit ARM (arm64)"],
  ]),
  forPlay: "for the Play Store",
  signed: "code-signed",
  unsigned: "not code-signed",
  howToCheck: "How to check a SHA-256 checksum",
  checkIntro: "Calculate the checksum of the downloaded file:",
  checkResult:
    "If the result equals the checksum on this page, the file is intact. If it differs, delete the file and download it again.",
  checkOn: {
    windows: "On Windows, open PowerShell in the download folder and enter",
    macos: "On macOS, open Terminal in the download folder and enter",
    linux: "On Linux, open a terminal in the download folder and enter",
    android: "On Android, use a terminal app, or check on a computer before copying:",
  },
  beta: "Beta",
  betaVersion: (version: string) => `Try version ${version} early`,
  betaWarning: "A beta is a preview and may contain bugs. Back up your data before you install it.",
  noNewerBeta: (version: string) => `There is no beta newer than version ${version} at the moment.`,
  earlierBetas: "Earlier betas",
  earlierVersions: "Earlier versions",
  nothingYet: (product: string) => `${product} is coming soon`,
  comeBack:
    "The first version is not released yet. Check back soon, or subscribe to the news feed.",
  onlyBeta: "The first version is not released yet, but a beta is available.",
  feed: "News feed (Atom)",
  feedTitle: (product: string) => `${product}: new versions`,
};

export type DownloadTexts = typeof en;

const de: DownloadTexts = {
  skipLink: "Zum Download springen",
  title: (product, version) => `${product} ${version} herunterladen`,
  version: (version) => `Version ${version}`,
  build: (build) => `Build ${build}`,
  newVersion: (version) => `Neu: Version ${version}`,
  downloadForYourSystem: "Für dein System herunterladen",
  picksTheRightFile: "Die passende Datei wird automatisch ausgewählt",
  downloadFor: (platform) => `Für ${platform} herunterladen`,
  seeAllFiles: "Alle Dateien ansehen",
  chooseYourSystem: "Oder wähle dein System",
  whatIsNew: "Das ist neu",
  allChanges: "Alle Änderungen",
  changeKinds: {
    added: "Neu",
    changed: "Geändert",
    fixed: "Behoben",
    security: "Sicherheit",
  },
  oldestSupported: (version) => `Versionen vor ${version} werden nicht mehr unterstützt`,
  requiredFrom: (date) => `Ältere Versionen brauchen dieses Update ab dem ${date}`,
  requiredSince: (date) => `Ältere Versionen brauchen dieses Update seit dem ${date}`,
  allFiles: "Alle Dateien",
  allFilesOf: (version) => `Alle Dateien der Version ${version}`,
  aboutChecksums:
    "Jede Datei hat eine SHA-256-Prüfsumme: einen Fingerabdruck, der zeigt, ob genau das angekommen ist, was veröffentlicht wurde. Dieselben Werte stehen im",
  signedManifest: "signierten Manifest",
  platforms: en.platforms,
  architectures: new Map([
    ["universal", "alle Geräte"],
    ["x64", "64 Bit (x64)"],
    ["arm64", "64 Bit ARM (arm64)"],
  ]),
  forPlay: "für den Play Store",
  signed: "signiert",
  unsigned: "nicht signiert",
  howToCheck: "So prüfst du eine SHA-256-Prüfsumme",
  checkIntro: "Berechne die Prüfsumme der heruntergeladenen Datei:",
  checkResult:
    "Stimmt das Ergebnis mit der Prüfsumme auf dieser Seite überein, ist die Datei unversehrt. Weicht es ab, lösche die Datei und lade sie neu herunter.",
  checkOn: {
    windows: "Öffne unter Windows die PowerShell im Download-Ordner und gib ein:",
    macos: "Öffne unter macOS das Terminal im Download-Ordner und gib ein:",
    linux: "Öffne unter Linux ein Terminal im Download-Ordner und gib ein:",
    android: "Nutze unter Android eine Terminal-App oder prüfe vor dem Kopieren am Computer:",
  },
  beta: "Beta",
  betaVersion: (version) => `Version ${version} vorab ausprobieren`,
  betaWarning:
    "Eine Beta ist eine Vorschau und kann Fehler enthalten. Sichere deine Daten, bevor du sie installierst.",
  noNewerBeta: (version) => `Zurzeit gibt es keine Beta, die neuer ist als Version ${version}.`,
  earlierBetas: "Frühere Betas",
  earlierVersions: "Frühere Versionen",
  nothingYet: (product) => `${product} kommt bald`,
  comeBack:
    "Die erste Version ist noch nicht erschienen. Schau bald wieder vorbei oder abonniere den Newsfeed.",
  onlyBeta: "Die erste Version ist noch nicht erschienen, aber eine Beta ist verfügbar.",
  feed: "Newsfeed (Atom)",
  feedTitle: (product) => `${product}: neue Versionen`,
};

export const DOWNLOAD_TEXTS: Readonly<Record<Language, DownloadTexts>> = { en, de };
