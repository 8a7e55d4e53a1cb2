/** Writes the figures of an open instance: at the opening, every minute, and for the last time at the close. */
import type { Database } from "../database/database.ts";
import { readInstanceFigures, saveFigures, type InstanceFigures } from "./instance-figures.ts";

export interface KeptFigures {
  /** Reads the figures of this moment. */
  read(): Promise<InstanceFigures>;
  /** The last write, before the store is closed. Never rejects: the instance must be closed anyway. */
  close(): Promise<void>;
}

export interface KeptFiguresSettings {
  readonly dataDir: string;
  readonly database: Database;
  /** Writes the offsets that devices have pulled to. */
  flushOffsets(): Promise<void>;
  /** Called with the last figures. */
  onClosed(figures: InstanceFigures): void;
  readonly now?: () => number;
}

/** How often figures are written: a list takes an instance for open when its figures are hardly older. */
export const WRITE_MS = 60_000;

export function keepFigures(settings: KeptFiguresSettings): KeptFigures {
  const { dataDir, database, now = Date.now } = settings;

  async function read(isOpen: boolean): Promise<InstanceFigures> {
    await settings.flushOffsets();
    return readInstanceFigures(database, isOpen, now());
  }

  async function write(isOpen: boolean): Promise<InstanceFigures | null> {
    try {
      const figures = await read(isOpen);
      await saveFigures(dataDir, figures);
      return figures;
    } catch {
      // A store or a disk that fails is told elsewhere, and old figures say how old they are.
      return null;
    }
  }

  let writing: Promise<unknown> = write(true);
  const timer = setInterval(() => {
    writing = writing.then(() => write(true));
  }, WRITE_MS).unref();
  return {
    read: () => read(true),
    async close() {
      clearInterval(timer);
      await writing;
      const figures = await write(false);
      if (figures !== null) settings.onClosed(figures);
    },
  };
}
