/** electron-updater's own HTTP code without Electron: every host is a server on loopback. */
import { request, type ClientRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { createRequire } from "node:module";

export interface Executor {
  request(options: RequestOptions): Promise<string | null>;
  /** Verifies the SHA-512 of what it downloads. */
  download(
    url: URL,
    destination: string,
    options: { readonly sha512: string; readonly cancellationToken: object },
  ): Promise<string>;
}

// Its declarations need those of Electron, which is not installed.
const requireModule = createRequire(import.meta.url);
const { ElectronHttpExecutor } = requireModule(
  "electron-updater/out/electronHttpExecutor.js",
) as unknown as { readonly ElectronHttpExecutor: new () => Executor };
const { CancellationToken } = requireModule("electron-updater") as unknown as {
  readonly CancellationToken: new () => object;
};

interface BlockAwareFile {
  readonly size: number;
  readonly blockMapSize: number;
  readonly sha512: string;
}

/** What AppImageUpdater downloads with, given an entry of the feed. */
export const { FileWithEmbeddedBlockMapDifferentialDownloader: DifferentialDownloader } =
  requireModule(
    "electron-updater/out/differentialDownloader/FileWithEmbeddedBlockMapDifferentialDownloader.js",
  ) as unknown as {
    readonly FileWithEmbeddedBlockMapDifferentialDownloader: new (
      file: BlockAwareFile,
      executor: Executor,
      options: object,
    ) => { download(): Promise<void> };
  };

export function createExecutor(port: number): Executor {
  class LoopbackExecutor extends ElectronHttpExecutor {
    createRequest(
      { path, method, headers }: RequestOptions,
      callback: (response: IncomingMessage) => void,
    ): ClientRequest {
      return request({ host: "127.0.0.1", port, path, method, headers, agent: false }, callback);
    }
  }
  return new LoopbackExecutor();
}

export function createCancellationToken(): object {
  return new CancellationToken();
}
