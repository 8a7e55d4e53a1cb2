/** Made-up releases of a made-up habit tracker: a story a person can look at. */
import { createHash } from "node:crypto";
import type { DraftRelease } from "../../contract/release/catalog.ts";
import type { ReleaseHighlight, ReleaseNotes } from "../../contract/release/schemas.ts";
import type { ReleaseChannel } from "../../contract/release/values.ts";

export const DEMO_PRODUCT = "habits";
export const DEMO_PRODUCT_NAME = "Habits";
export const DEMO_HOST = "downloads.example.com";

export interface DemoRelease {
  readonly draft: DraftRelease;
  readonly publishedDaysAgo: number;
}

interface Story {
  readonly headline: string;
  readonly summary: string;
  readonly highlights: readonly ReleaseHighlight[];
  readonly changes: ReleaseNotes;
}

export function createDemoReleases(): DemoRelease[] {
  return [
    {
      publishedDaysAgo: 120,
      draft: createDraft(
        "1.0.0",
        100,
        "stable",
        notes({ added: ["Habits, streaks and reminders"] }),
      ),
    },
    {
      publishedDaysAgo: 45,
      draft: createDraft(
        "1.1.0",
        110,
        "stable",
        notes({
          added: ["A weekly overview"],
          fixed: ["Reminders near midnight come on the right day"],
        }),
      ),
    },
    {
      publishedDaysAgo: 6,
      draft: createDraft(
        "1.2.0",
        120,
        "stable",
        notes({
          added: ["Sync with your own server", "A widget for today's habits"],
          changed: ["The calendar opens at once"],
          security: ["Updated the image decoder"],
        }),
        { de: GERMAN_STORY, en: ENGLISH_STORY },
      ),
    },
    {
      publishedDaysAgo: 2,
      draft: createDraft(
        "1.3.0",
        130,
        "beta",
        notes({ added: ["Tasks from a planner's event feed"] }),
      ),
    },
  ];
}

const ENGLISH_STORY: Story = {
  headline: "Your habits, on every device",
  summary: "Keep your streaks in step between phone and desktop, on a server that is yours.",
  highlights: [
    {
      id: "sync",
      title: "Your own sync",
      description: "Connect the app to your private server. Nobody else reads along.",
      icon: "sync",
    },
    {
      id: "widget",
      title: "Today at a glance",
      description: "The new widget shows what is left to do, and ticks it off.",
      icon: "widget",
    },
    {
      id: "speed",
      title: "At once",
      description: "The calendar opens without a pause, even after years of entries.",
      icon: "bolt",
    },
  ],
  changes: notes({
    added: ["Sync with your own server", "A widget for today's habits"],
    changed: ["The calendar opens at once"],
    security: ["Updated the image decoder"],
  }),
};

const GERMAN_STORY: Story = {
  headline: "Deine Gewohnheiten auf jedem Gerät",
  summary: "Telefon und Rechner bleiben im Gleichschritt, auf einem Server, der dir gehört.",
  highlights: [
    {
      id: "sync",
      title: "Dein eigener Abgleich",
      description: "Verbinde die App mit deinem privaten Server. Niemand sonst liest mit.",
      icon: "sync",
    },
    {
      id: "widget",
      title: "Der Tag auf einen Blick",
      description: "Das neue Widget zeigt, was noch offen ist, und hakt es ab.",
      icon: "widget",
    },
    {
      id: "speed",
      title: "Sofort da",
      description: "Der Kalender öffnet sich ohne Pause, auch nach Jahren voller Einträge.",
      icon: "bolt",
    },
  ],
  changes: notes({
    added: ["Abgleich mit dem eigenen Server", "Ein Widget für die Gewohnheiten von heute"],
    changed: ["Der Kalender öffnet sich sofort"],
    security: ["Bilddekoder aktualisiert"],
  }),
};

function notes(parts: Partial<ReleaseNotes>): ReleaseNotes {
  return { added: [], changed: [], fixed: [], security: [], ...parts };
}

function createDraft(
  version: string,
  buildNumber: number,
  channel: ReleaseChannel,
  releaseNotes: ReleaseNotes,
  presentation?: { readonly de: Story; readonly en: Story },
): DraftRelease {
  return {
    version,
    buildNumber,
    channel,
    status: "draft",
    publishedAt: null,
    minimumSupportedVersion: "1.0.0",
    mandatoryAfter: null,
    notes: releaseNotes,
    ...(presentation !== undefined && {
      presentation: structuredClone(presentation) as NonNullable<DraftRelease["presentation"]>,
    }),
    artifacts: [
      { ...artifact(version, "android", "universal", "apk", 21_400_000), distribution: "direct" },
      { ...artifact(version, "android", "universal", "aab", 18_900_000), distribution: "play" },
      artifact(version, "windows", "x64", "exe", 64_200_000),
      artifact(version, "linux", "x64", "AppImage", 71_800_000),
      artifact(version, "macos", "universal", "dmg", 88_500_000),
    ],
  };
}

function artifact(
  version: string,
  platform: "android" | "windows" | "linux" | "macos",
  architecture: string,
  extension: string,
  size: number,
): DraftRelease["artifacts"][number] {
  const fileName = `${DEMO_PRODUCT}-${version}-${platform}-${architecture}.${extension}`;
  return {
    platform,
    architecture,
    fileName,
    signed: platform !== "linux",
    url: `https://${DEMO_HOST}/${version}/${fileName}`,
    sha256: createHash("sha256").update(fileName).digest("hex"),
    size,
  };
}
