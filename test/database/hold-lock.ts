/** A process that locks a SQLite file until its stdin ends. Argument: the file. */
import { DatabaseSync } from "node:sqlite";

const handle = new DatabaseSync(process.argv[2] ?? "");
handle.exec("begin immediate");
process.stdout.write("locked\n");
process.stdin.on("end", () => handle.close()).resume();
