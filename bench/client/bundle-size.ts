import { gzipSync } from "node:zlib";
import { bundleClient, bundleEncryptedClient } from "../../test/fixtures/bundle-client.ts";

export interface BundleSize {
  readonly kilobytes: number;
  readonly compressedKilobytes: number;
}

export function sizeOf(code: string | Uint8Array): BundleSize {
  return {
    kilobytes: Buffer.byteLength(code) / 1024,
    compressedKilobytes: gzipSync(code).length / 1024,
  };
}

/** Measures the bundle as an app's bundler builds it. */
export async function measureClientBundle(): Promise<BundleSize> {
  return sizeOf((await bundleClient("syncClient", "esm")).code);
}

/** The same for an app with end-to-end encryption. */
export async function measureEncryptedBundle(): Promise<BundleSize> {
  return sizeOf((await bundleEncryptedClient()).code);
}
