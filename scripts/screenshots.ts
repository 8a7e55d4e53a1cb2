/** Takes the screenshots of the documentation: runs the browser tests that show those pages. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");

/** The names of the tests that take them. */
const TESTS: Readonly<Record<string, string>> = {
  "login-page": "the language switch leads to the other page and back",
  "owner-page": "the owner signs in, changes devices",
  "events-pages": "sign-in and Allow lead back to the app|a calendar is previewed, subscribed to",
  "download-page": "the script shows the file|the script uses the language",
  "first-minute":
    "two devices are signed in|the first step|the second step|the third step|the fourth step",
};

for (const [file, names] of Object.entries(TESTS)) {
  const { status } = spawnSync(
    process.execPath,
    [
      "--test",
      "--import=./test/fixtures/bundled-threads.ts",
      "--test-global-setup=test/fixtures/prepare-run.ts",
      `--test-name-pattern=${names}`,
      `test/browser/${file}.test.ts`,
    ],
    {
      cwd: ROOT,
      stdio: "inherit",
      env: { ...process.env, TRELLIS_SCREENSHOTS: join(ROOT, "docs/pictures") },
    },
  );
  if (status !== 0)
    throw new Error(`The screenshots of ${file} were not taken: see the errors above`);
}
