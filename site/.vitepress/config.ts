import { join } from "node:path";
import { defineConfig } from "vitepress";
import { openedAsFile } from "../opened-as-file.ts";
import { RepositoryLinks } from "../repository-links.ts";
import { buildGermanSidebar, buildSidebar } from "../sidebar.ts";

const ROOT = join(import.meta.dirname, "../..");
const GERMAN = "docs/quick-starts/de";
const links = new RepositoryLinks(ROOT);

/** Pages lie outside of the folder in which Vue is installed; what renders them to files runs inside. */
const vueOfThisFolder = {
  name: "vue-of-this-folder",
  enforce: "pre" as const,
  resolveId: (id: string, _importer: string | undefined, { ssr }: { readonly ssr?: boolean }) =>
    ssr === true && /^vue(\/|$)/.test(id) ? { id, external: true } : null,
};

export default defineConfig({
  title: "Trellis",
  description: "The backend a local-first app grows on",
  // The repository's own tree, so that a link means the same here and there.
  srcDir: ROOT,
  srcExclude: [
    "**/node_modules/**",
    "site/**",
    "src/**",
    "test/**",
    "dist/**",
    ".cache/**",
    "data/**",
  ],
  rewrites: { "README.md": "index.md" },
  outDir: join(ROOT, "site/dist"),
  cacheDir: join(ROOT, ".cache/docs"),
  cleanUrls: false,
  // Commands and samples name servers on the reader's machine.
  ignoreDeadLinks: "localhostLinks",
  metaChunk: true,
  head: [
    ["meta", { name: "referrer", content: "no-referrer" }],
    ["link", { rel: "icon", href: "data:," }],
  ],
  transformHead: ({ page }) => [["script", {}, openedAsFile(page)]],
  markdown: { config: (markdown) => links.install(markdown) },
  buildEnd: ({ outDir }) => links.copyTo(outDir),
  vite: {
    plugins: [vueOfThisFolder],
    // The index of the search is one file, and is loaded by a person who searches.
    build: { chunkSizeWarningLimit: 4000 },
  },
  locales: {
    root: { label: "English", lang: "en" },
    [GERMAN]: {
      label: "Deutsch",
      lang: "de",
      link: `/${GERMAN}/`,
      themeConfig: {
        sidebar: buildGermanSidebar(),
        outline: { label: "Auf dieser Seite", level: [2, 3] },
        docFooter: { prev: "Zurück", next: "Weiter" },
        darkModeSwitchLabel: "Aussehen",
        darkModeSwitchTitle: "Dunkel",
        lightModeSwitchTitle: "Hell",
        sidebarMenuLabel: "Inhalt",
        returnToTopLabel: "Nach oben",
        langMenuLabel: "Sprache",
        skipToContentLabel: "Zum Inhalt",
      },
    },
  },
  themeConfig: {
    i18nRouting: false,
    sidebar: buildSidebar(),
    outline: { level: [2, 3] },
    search: { provider: "local" },
  },
});
