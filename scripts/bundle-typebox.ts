/**
 * TypeBox comes as 700 small files, and finding them takes a short command longer than all else that it
 * does. This makes the same code into a few.
 */
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");

/** What is imported as `typebox/compile` is then in the folder, as `typebox/compile.mjs`. */
export async function bundleTypebox(specifiers: readonly string[], folder: string): Promise<void> {
  // Every process of a run of tests reads this file, and only one bundles.
  const { build } = await import("esbuild");
  await build({
    // All entries together: they share their settings.
    entryPoints: specifiers.map((specifier) => ({ in: specifier, out: specifier })),
    absWorkingDir: ROOT,
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    chunkNames: "typebox/[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "neutral",
  });
}
