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
    context.print(describeDemo(demo));
    context.json({
      release: demo.release.baseUrl,
      smartDownload: demo.release.smartDownload.url,
      website: demo.websiteUrl,
      sync: demo.sync.baseUrl,
      signIn: demo.sync.signInUrl,
      account: demo.sync.account,
      folder: demo.folder,
      configuration: demo.configPath,
    });
    await onStopSignal(demo.stop, { ignoreSecond: false });
    context.print("\nStopped; the demo's folder is gone");
  },
});

function describeDemo({ release, sync, websiteUrl, folder, configPath }: RunningDemo): string {
  return `Trellis demo, with made-up data in ${folder}

  Download page     ${websiteUrl}/
  Latest release    ${release.baseUrl}/api/v1/releases/latest
  Signed manifest   ${release.baseUrl}/api/v1/manifest
  Smart download    ${release.smartDownload.url}/
  Sync              ${sync.baseUrl}/v1/instance-info
  Sign in to sync   ${sync.signInUrl}

The sync account is "${sync.account.username}" with the password "${sync.account.password}"; ${sync.account.entities} made-up entities are in it.

Five things to try, in a second terminal:

  1. Check the signature as an app would
     npm run -s trellis -- release verify ${release.baseUrl} --config ${configPath}

  2. Ask what an old Windows client should do, and why
     npm run -s trellis -- release decide --platform windows --version 1.0.0 --build 100 --config ${configPath}

  3. Withdraw the newest release and watch the page and the API follow
     npm run -s trellis -- release withdraw 1.2.0 --reason "Crashes at start" --replaced-by 1.1.0 --config ${configPath}

  4. Open the address of "Sign in to sync" and sign in; the browser then goes to an app that is not there

  5. See where the sync store stands, and back it up
     npm run -s trellis -- sync status --config ${configPath}
     npm run -s trellis -- sync backup ${folder}/one.backup --config ${configPath}

The files behind the download links are made up: https://${DEMO_HOST} has none.
Ready. Press Ctrl+C to stop.`;
}
