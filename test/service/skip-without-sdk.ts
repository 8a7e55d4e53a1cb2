import { SDK_PACKAGES } from "../../src/operate/tracing/sdk.ts";

/** Why tests of tracing are skipped, or false. */
export const skipWithoutSdk =
  !SDK_PACKAGES.every(isInstalled) && "the packages of the OpenTelemetry SDK are not installed";

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}
