/** Sample releases of a habit tracker, published as `trellis release` would do it. */
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DAY_MS } from "../../src/contract/durations.ts";
import type { DraftRelease } from "../../src/contract/release/catalog.ts";
import type {
  ReleaseHighlight,
  ReleaseNotes,
  ReleasePresentation,
} from "../../src/contract/release/schemas.ts";
import type { ReleaseChannel } from "../../src/contract/release/values.ts";
import { nodeFiles } from "../../src/release/catalog/file-port.ts";
import { createCatalogReader } from "../../src/release/catalog/read-catalog.ts";
import { RELEASES_FOLDER } from "../../src/rules/release/catalog-files.ts";
import type {
  CatalogContext,
  PublishingError,
} from "../../src/release/publishing/change-catalog.ts";
import { createKeys } from "../../src/release/publishing/key-ring.ts";
import { initCatalog } from "../../src/release/publishing/init-catalog.ts";
import { publishRelease } from "../../src/release/publishing/publish-release.ts";

export const DEMO_PRODUCT = "habits";
export const DEMO_PRODUCT_NAME = "Habits";
/** Another id than `trellis init` chooses, so that no one takes the manifest for their own. */
const DEMO_KEY = "demo";
export const DEMO_HOST = "downloads.example.com";
/** The newest stable release of the samples: the devices have it installed. */
export const NEWEST_STABLE = { version: "1.2.0", buildNumber: 120 };

const TARGETS = [
  { platform: "android", architecture: "universal" },
  { platform: "windows", architecture: "x64" },
  { platform: "linux", architecture: "x64" },
  { platform: "macos", architecture: "universal" },
] as const;

const ANDROID = { platform: "android", architecture: "universal", minimumOs: "8.0" } as const;

/** The files of every release, in the order of the download page. */
export const DEMO_ARTIFACTS = [
  { ...ANDROID, distribution: "direct", extension: "apk" },
  { ...ANDROID, distribution: "play", extension: "aab" },
  { platform: "windows", architecture: "x64", minimumOs: "10.0", extension: "exe" },
  { platform: "linux", architecture: "x64", extension: "AppImage" },
  { platform: "macos", architecture: "universal", minimumOs: "12.0", extension: "dmg" },
] as const;

type DemoArtifact = (typeof DEMO_ARTIFACTS)[number];

export const SIZES: Readonly<Record<DemoArtifact["extension"], number>> = {
  apk: 21_400_000,
  aab: 18_900_000,
  exe: 64_200_000,
  AppImage: 71_800_000,
  dmg: 88_500_000,
};

export function openDemoCatalog(folder: string, keysFolder: string): CatalogContext {
  const reader = createCatalogReader(folder);
  return { folder, reader, keysFolder, files: nodeFiles, now: Date.now, lockWaitMs: 1000 };
}

export async function prepareDemoReleases(context: CatalogContext): Promise<void> {
  const now = context.now();
  const settings = { product: DEMO_PRODUCT, targets: TARGETS, artifactHosts: [DEMO_HOST] };
  expectDone(initCatalog(context, settings));
  expectDone(await createKeys(context, DEMO_KEY, undefined));
  for (const release of RELEASES) {
    const { version } = release;
    const draft = JSON.stringify(createDraft(release), null, 2);
    await writeFile(join(context.folder, RELEASES_FOLDER, `${version}.json`), draft);
    const publishedAt = new Date(now - release.publishedDaysAgo * DAY_MS).toISOString();
    expectDone(await publishRelease(context, version, publishedAt, async () => undefined));
  }
}

/** The sample data is valid, so an error here is a bug, or a change that a person has made. */
export function expectDone<R extends { readonly kind: "done" } | PublishingError>(
  result: R,
): Exclude<R, PublishingError> {
  if (result.kind === "refused") throw new Error(result.message);
  return result as Exclude<R, PublishingError>;
}

export function describeFile(version: string, { platform, architecture, extension }: DemoArtifact) {
  const fileName = `${DEMO_PRODUCT}-${version}-${platform}-${architecture}.${extension}`;
  return { fileName, url: `https://${DEMO_HOST}/${version}/${fileName}` };
}

interface DemoRelease {
  readonly version: string;
  readonly buildNumber: number;
  readonly channel: ReleaseChannel;
  readonly publishedDaysAgo: number;
  readonly notes: Partial<ReleaseNotes>;
  readonly presentation?: ReleasePresentation;
}

const NEWEST_NOTES = {
  added: ["Sync with your own server", "A widget for today's habits"],
  changed: ["The calendar opens at once"],
  security: ["Updated the image decoder"],
};

const HIGHLIGHTS = [
  {
    id: "sync",
    icon: "sync",
    de: [
      "Dein eigener Abgleich",
      "Verbinde die App mit deinem privaten Server. Niemand sonst liest mit.",
    ],
    en: ["Your own sync", "Connect the app to your private server. No one else can read it."],
  },
  {
    id: "widget",
    icon: "widget",
    de: ["Der Tag auf einen Blick", "Das neue Widget zeigt, was noch offen ist, und hakt es ab."],
    en: ["Today at a glance", "The new widget shows what is left to do, and ticks it off."],
  },
  {
    id: "speed",
    icon: "bolt",
    de: ["Sofort da", "Der Kalender öffnet sich ohne Pause, auch nach Jahren voller Einträge."],
    en: ["At once", "The calendar opens without a pause, even after years of entries."],
  },
] as const;

const RELEASES: readonly DemoRelease[] = [
  {
    version: "1.0.0",
    buildNumber: 100,
    channel: "stable",
    publishedDaysAgo: 120,
    notes: { added: ["Habits, streaks and reminders"] },
  },
  {
    version: "1.1.0",
    buildNumber: 110,
    channel: "stable",
    publishedDaysAgo: 45,
    notes: {
      added: ["A weekly overview"],
      fixed: ["Reminders near midnight come on the right day"],
    },
  },
  {
    ...NEWEST_STABLE,
    channel: "stable",
    publishedDaysAgo: 6,
    notes: NEWEST_NOTES,
    presentation: {
      de: {
        headline: "Deine Gewohnheiten auf jedem Gerät",
        summary: "Telefon und Rechner bleiben im Gleichschritt, auf einem Server, der dir gehört.",
        highlights: createHighlights("de"),
        changes: completeNotes({
          added: ["Abgleich mit dem eigenen Server", "Ein Widget für die Gewohnheiten von heute"],
          changed: ["Der Kalender öffnet sich sofort"],
          security: ["Bilddekoder aktualisiert"],
        }),
      },
      en: {
        headline: "Your habits, on every device",
        summary: "Keep your streaks in step between phone and desktop, on a server that is yours.",
        highlights: createHighlights("en"),
        changes: completeNotes(NEWEST_NOTES),
      },
    },
  },
  {
    version: "1.3.0",
    buildNumber: 130,
    channel: "beta",
    publishedDaysAgo: 2,
    notes: { added: ["Tasks from an events server"] },
  },
];

function createHighlights(language: "de" | "en"): ReleaseHighlight[] {
  return HIGHLIGHTS.map(({ id, icon, [language]: [title, description] }) => {
    return { id, title, description, icon };
  });
}

function completeNotes(notes: Partial<ReleaseNotes>): ReleaseNotes {
  return { added: [], changed: [], fixed: [], security: [], ...notes };
}

function createDraft(release: DemoRelease): DraftRelease {
  const { version, buildNumber, channel, notes, presentation } = release;
  return {
    version,
    buildNumber,
    channel,
    status: "draft",
    publishedAt: null,
    minimumSupportedVersion: "1.0.0",
    mandatoryAfter: null,
    notes: completeNotes(notes),
    ...(presentation !== undefined && { presentation }),
    artifacts: DEMO_ARTIFACTS.map((artifact) => {
      const { extension, ...target } = artifact;
      const { fileName, url } = describeFile(version, artifact);
      return {
        ...target,
        fileName,
        signed: isSigned(artifact),
        url,
        sha256: createHash("sha256").update(fileName).digest("hex"),
        size: SIZES[extension],
      };
    }),
  };
}

export function isSigned({ platform }: DemoArtifact): boolean {
  return platform !== "linux";
}
