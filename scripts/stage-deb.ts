/** Lays out the folder that `dpkg-deb` packs: the binary, the service, its configuration and the manual. */
import { createHash } from "node:crypto";
import { chmod, copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { renderBashCompletion } from "../src/cli/completion/bash.ts";
import { describeCommands } from "../src/cli/completion/describe-commands.ts";
import { renderFishCompletion } from "../src/cli/completion/fish.ts";
import { renderZshCompletion } from "../src/cli/completion/zsh.ts";
import { rootCommand } from "../src/cli/commands/root.ts";
import { PRODUCT_VERSION } from "../src/database/product-version.ts";
import { renderManPage } from "./man-page.ts";

const ROOT = join(import.meta.dirname, "..");
const SOURCES = join(ROOT, "deploy/debian");
/** Debian's variables name the publisher of the package; the project has no address of its own. */
const { DEBFULLNAME = "The Trellis authors", DEBEMAIL = "trellis@localhost" } = process.env;
const MAINTAINER = `${DEBFULLNAME} <${DEBEMAIL}>`;

export interface DebContents {
  /** The path of the program for one processor. */
  readonly binary: string;
  /** The licenses of what is in the program. */
  readonly licenses: string;
  readonly architecture: string;
  /** The date of the sources: the same sources make the same package. */
  readonly date: Date;
}

/** A hyphen would begin the revision of the packaging, and a tilde sorts before the release itself. */
export const DEB_VERSION = PRODUCT_VERSION.replaceAll("-", "~");

const CONFIGURATION = "etc/trellis/trellis.config.json";
const DOCS = "usr/share/doc/trellis";

export async function stageDeb(folder: string, contents: DebContents): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const put = async (path: string, data: string | Uint8Array, mode = 0o644) => {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o755 });
    await writeFile(target, data);
    await chmod(target, mode);
  };
  const copy = async (name: string, path: string, mode = 0o644) =>
    put(path, await readFile(join(SOURCES, name)), mode);

  await mkdir(join(folder, "usr/bin"), { recursive: true });
  await copyFile(contents.binary, join(folder, "usr/bin/trellis"));
  await chmod(join(folder, "usr/bin/trellis"), 0o755);
  await copy("trellis.service", "usr/lib/systemd/system/trellis.service");
  await copy("trellis.config.json", CONFIGURATION);
  await put("usr/share/man/man1/trellis.1.gz", compress(renderManPage(contents.date)));
  const commands = await describeCommands(rootCommand);
  const completions = {
    "usr/share/bash-completion/completions/trellis": renderBashCompletion(commands),
    "usr/share/zsh/vendor-completions/_trellis": renderZshCompletion(commands),
    "usr/share/fish/vendor_completions.d/trellis.fish": renderFishCompletion(commands),
  };
  for (const [path, script] of Object.entries(completions)) await put(path, `${script}\n`);
  await put(`${DOCS}/copyright`, await readFile(join(ROOT, "LICENSE")));
  await put(`${DOCS}/licenses.txt.gz`, compress(await readFile(contents.licenses, "utf8")));
  await put(`${DOCS}/changelog.gz`, compress(renderChangelog(contents.date)));

  const files = await listFiles(folder);
  await put("DEBIAN/control", await renderControl(folder, files, contents.architecture));
  await put("DEBIAN/conffiles", `/${CONFIGURATION}\n`);
  await put("DEBIAN/md5sums", await renderSums(folder, files));
  for (const script of ["postinst", "prerm", "postrm"]) {
    await copy(script, `DEBIAN/${script}`, 0o755);
  }
}

async function renderControl(
  folder: string,
  files: readonly string[],
  architecture: string,
): Promise<string> {
  const sizes = await Promise.all(files.map(async (path) => (await stat(join(folder, path))).size));
  const kib = sizes.reduce((total, size) => total + Math.ceil(size / 1024), 0);
  return [
    "Package: trellis",
    `Version: ${DEB_VERSION}`,
    `Architecture: ${architecture}`,
    `Maintainer: ${MAINTAINER}`,
    `Installed-Size: ${kib}`,
    // What the Node inside is linked with.
    "Depends: libatomic1, libc6 (>= 2.28), libgcc-s1, libstdc++6, passwd",
    "Recommends: ca-certificates",
    "Suggests: caddy, postgresql",
    "Section: net",
    "Priority: optional",
    "Description: signed releases, personal sync and event feeds",
    " The server of a local-first app: it publishes signed releases, keeps the",
    " devices of a person in step, and gives apps the events of a calendar.",
    " .",
    " One program with everything inside; stores are SQLite files or PostgreSQL.",
    "",
  ].join("\n");
}

function renderChangelog(date: Date): string {
  const day = date.toUTCString().replace("GMT", "+0000");
  return `trellis (${DEB_VERSION}) unstable; urgency=medium\n\n  * See CHANGELOG.md of the sources.\n\n -- ${MAINTAINER}  ${day}\n`;
}

async function renderSums(folder: string, files: readonly string[]): Promise<string> {
  const lines = files
    .filter((path) => path !== CONFIGURATION)
    .map(async (path) => {
      const bytes = await readFile(join(folder, path));
      return `${createHash("md5").update(bytes).digest("hex")}  ${path}\n`;
    });
  return (await Promise.all(lines)).join("");
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

/** Compresses without a time, so that the same text makes the same bytes. */
function compress(text: string): Uint8Array {
  return gzipSync(text, { level: 9 });
}
