import { DEMO_HOST } from "../../examples/demo/demo-releases.ts";
import { isSingleExecutable } from "../server/is-single-executable.ts";
import type { RunningDemo } from "../../examples/demo/start-demo.ts";

/** Shows every address of the demo, and commands to try. */
export function describeDemo(demo: RunningDemo): string[] {
  const { release, sync, events, account, websiteUrl, folder, configPath } = demo;
  const program = isSingleExecutable() ? process.argv0 : "npm run -s trellis --";
  const command = (words: string) => `${program} ${words} --config ${configPath}`;
  return `Trellis demo, with sample data in ${folder}

  Download page     ${websiteUrl}/
  Latest release    ${release.baseUrl}/api/v1/releases/latest
  Signed manifest   ${release.baseUrl}/api/v1/manifest
  Smart download    ${release.smartDownload.url}/
  Sync              ${sync.baseUrl}/v1/instance-info
  Sign in to sync   ${sync.signInUrl}
  Events            ${events.baseUrl}/
  Connect an app    ${events.authorizeUrl}

The account "${account.username}" has the password "${account.password}". The sync service has ${sync.entities} entities, the events service ${events.events} events.

Seven things to try, in a second terminal:

  1. Verify the manifest as an app does
     ${command(`release verify ${release.baseUrl}`)}

  2. Show the update decision for an old Windows client, and why
     ${command("release decide --platform windows --version 1.0.0 --build 100")}

  3. Withdraw the newest release, and see the download page and the API change
     ${command('release withdraw 1.2.0 --reason "Crashes at start" --replaced-by 1.1.0')}

  4. Open the "Sign in to sync" address and sign in; the browser is then redirected to an app that does not run

  5. Show the status of the sync store, and back it up
     ${command("sync status")}
     ${command(`sync backup ${folder}/one.backup`)}

  6. Open the "Events" address, sign in and add an event; then open "Connect an app" to see how an app requests access

  7. Change the sample school calendar in an editor, and import it again
     ${command(`events import ${events.calendarPath} --account ${account.username}`)}

The download links lead nowhere: https://${DEMO_HOST} is an example host.
Ready. Press Ctrl+C to stop.`.split("\n");
}
