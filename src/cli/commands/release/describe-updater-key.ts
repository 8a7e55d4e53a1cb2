/** What a maker pastes into the app's configuration, so that its updater knows the key. */
import type { UpdaterKeyOverview } from "../../../release/publishing/updater-keys.ts";

export function describeUpdaterKey({ kind, appKey }: UpdaterKeyOverview): string[] {
  switch (kind) {
    case "minisign":
      return ["For tauri.conf.json, as plugins.updater.pubkey:", appKey];
    case "sparkle":
      return [
        "For Info.plist (WinSparkle: the resource EdDSAPub):",
        "<key>SUPublicEDKey</key>",
        `<string>${appKey}</string>`,
      ];
  }
}
