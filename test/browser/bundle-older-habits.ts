/** What an older version of the habits app did: it stored the colour of a habit, and knew no tone. */
import { join } from "node:path";
import { build } from "esbuild";

const ROOT = join(import.meta.dirname, "../..");

const OLDER = `
import { createIndexedDbStorage, createSyncClient } from "trellis/client";

/** Makes the habit, or gives it the color; returns the one that it had. */
export async function setColor(color) {
  const client = await createSyncClient({
    baseUrl: "https://sync.example.com",
    redirectUri: location.origin + "/callback",
    storage: createIndexedDbStorage("habits"),
    profile: "habits",
    live: false,
  });
  await client.loaded;
  const habits = client.collection("habit", { indexes: ["createdAt"] });
  const before = habits.get("sew");
  const habit = {
    id: "sew", name: "Sew", description: null, color, icon: "star", category: "Home", frequency: "daily",
    targetCount: 1, customDays: null, isActive: true, createdAt: "2026-01-01T08:00:00Z",
  };
  const result = before === undefined
    ? await habits.create(habit, { id: "sew" })
    : await habits.patch("sew", { color });
  await client.close();
  if (result.kind === "refused") throw new Error(result.message);
  return before?.color ?? null;
}
`;

/** A script that defines `olderHabits`. */
export async function bundleOlderHabits(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: OLDER, resolveDir: ROOT },
    bundle: true,
    format: "iife",
    globalName: "olderHabits",
    write: false,
    alias: { "trellis/client": join(ROOT, "src/client/index.ts") },
  });
  return outputFiles[0]?.text ?? "";
}
