/** The page of browsers and runtimes, from the targets of the bundles and package.json. */
import type { GeneratedFile } from "../bundle-web.ts";
import packageJson from "../../package.json" with { type: "json" };
import {
  APP_BROWSERS,
  PAGE_BROWSERS,
  UPDATE_BROWSERS,
  type BrowserTargets,
} from "../browser-targets.ts";
import { createPage, createTable } from "./page.ts";

const ROWS: readonly (readonly [what: string, browsers: BrowserTargets])[] = [
  ["Download page, sign-in, consent, the owner's page, account pages", PAGE_BROWSERS],
  ["The clients of `trellis/client`, the example apps, the demo", APP_BROWSERS],
  ["Updates: `createUpdateClient` verifies Ed25519", UPDATE_BROWSERS],
];

export function generateBrowsersPage(): GeneratedFile {
  const rows = ROWS.map(([what, { chrome, firefox, safari }]) => [what, chrome, firefox, safari]);
  return createPage("browsers", "scripts/browser-targets.ts", [
    "# Browsers and runtimes",
    "The oldest versions. Browsers made from Chromium, such as Edge, have its number; Safari's is that of iOS, too.",
    createTable(["Part", "Chrome", "Firefox", "Safari"], rows),
    [
      "The download page shows its files and links in any browser, without a script too; sign-in pages and apps need one, and",
      "a page that is secure: HTTPS or `localhost`. Passkeys need a browser that has them, and are offered nowhere else. An",
      "update client without Ed25519 offers no update.",
    ].join("\n"),
    `The server and \`trellis/client/node\` run on Node ${packageJson.engines.node.replace(">=", "")} or later. The clients also run on current Bun and Deno.`,
    "## What is tested",
    [
      "`npm test` and `npm run test:all` drive the installed Chromium. `test:all` also walks the main paths (the demo, an app",
      "offline, sign-in, consent, the owner's page) in Debian's Firefox and in WebKitGTK, the engine of Safari. Nothing is tested",
      "on Safari itself, nor on the oldest versions, and consent not in WebKitGTK.",
    ].join("\n"),
  ]);
}
