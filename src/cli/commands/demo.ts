import { createLineWriter } from "../../http/request-log.ts";
import { startDemo, type RunningDemo } from "../../server/demo/start-demo.ts";
import { DEMO_HOST } from "../../server/demo/demo-releases.ts";
import { onStopSignal } from "../../server/stop-signals.ts";
import { defineCommand } from "../command.ts";
import { explainStartFailure } from "../explain-start-failure.ts";

export const demoCommand = defineCommand({
  summary: "Run everything on this machine with made-up data",
  description:
    "Listens on loopback only and keeps its data in a temporary folder that is removed at the end.",
  options: {
    log: { type: "boolean", description: "Also print one JSON line per request" },
  },
  async run(context) {
    const log = createLineWriter((text) => {
      if (context.options.log) context.terminal.stdout.write(text);
    });
    const demo = await startDemo(log).catch(explainStartFailure);
    const stopped = onStopSignal(demo.stop, { ignoreSecond: false });
    context.print(describeDemo(demo));
    context.json({
      release: demo.release.baseUrl,
      smartDownload: demo.release.smartDownload.url,
      website: demo.websiteUrl,
      sync: demo.sync.baseUrl,
      signIn: demo.sync.signInUrl,
      events: demo.events.baseUrl,
      authorize: demo.events.authorizeUrl,
      account: demo.account,
      folder: demo.folder,
      configuration: demo.configPath,
    });
    await stopped;
    context.print("\nStopped; the demo's folder is gone");
  },
});

function describeDemo(demo: RunningDemo): string {
  const { release, sync, events, account, websiteUrl, folder, configPath } = demo;
  const command = (words: string) => `npm run -s trellis -- ${words} --config ${configPath}`;
  return `Trellis demo, with made-up data in ${folder}

  Download page     ${websiteUrl}/
  Latest release    ${release.baseUrl}/api/v1/releases/latest
  Signed manifest   ${release.baseUrl}/api/v1/manifest
  Smart download    ${release.smartDownload.url}/
  Sync              ${sync.baseUrl}/v1/instance-info
  Sign in to sync   ${sync.signInUrl}
  Planner           ${events.baseUrl}/
  Connect an app    ${events.authorizeUrl}

The account "${account.username}" has the password "${account.password}"; ${sync.entities} made-up entities are in sync and ${events.events} events in the planner.

Seven things to try, in a second terminal:

  1. Check the signature as an app would
     ${command(`release verify ${release.baseUrl}`)}

  2. Ask what an old Windows client should do, and why
     ${command("release decide --platform windows --version 1.0.0 --build 100")}

  3. Withdraw the newest release and watch the page and the API follow
     ${command('release withdraw 1.2.0 --reason "Crashes at start" --replaced-by 1.1.0')}

  4. Open the address of "Sign in to sync" and sign in; the browser then goes to an app that is not there

  5. See where the sync store stands, and back it up
     ${command("sync status")}
     ${command(`sync backup ${folder}/one.backup`)}

  6. Open the planner, sign in, and add an event; then open "Connect an app" and see what an app would ask

  7. Change the made-up school calendar in an editor, and import it again
     ${command(`events import ${events.calendarPath} --account ${account.username}`)}

The files behind the download links are made up: https://${DEMO_HOST} has none.
Ready. Press Ctrl+C to stop.`;
}
