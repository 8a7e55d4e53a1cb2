/** The theme of the demo's download page, as the maker of an app would write it. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SITE_SCHEMA_VERSION, type SiteFile } from "../../src/contract/release/site.ts";
import { SITE_FILE, SITE_FOLDER } from "../../src/rules/release/catalog-files.ts";
import { HABITS_ICON_SVG } from "../../src/web/generated/habits-icon-svg.ts";
import { DEMO_PRODUCT_NAME } from "./demo-releases.ts";

const LOGO = "logo.svg";

const FACE: SiteFile = {
  schemaVersion: SITE_SCHEMA_VERSION,
  name: DEMO_PRODUCT_NAME,
  tagline: { en: "Small habits that stay", de: "Kleine Gewohnheiten, die bleiben" },
  description: {
    en: "Keep the few things that matter, one calm day at a time. Your data is on your devices, and on a server of your own.",
    de: "Behalte die wenigen Dinge bei, die zählen, einen ruhigen Tag nach dem anderen. Deine Daten sind auf deinen Geräten und auf deinem eigenen Server.",
  },
  logo: LOGO,
  accent: "#1b6748",
  accentDark: "#86d6ac",
};

export async function writeDemoTheme(catalog: string): Promise<void> {
  await mkdir(join(catalog, SITE_FOLDER), { recursive: true });
  await writeFile(join(catalog, SITE_FOLDER, LOGO), HABITS_ICON_SVG);
  await writeFile(join(catalog, SITE_FILE), `${JSON.stringify(FACE, null, 2)}\n`);
}
