/** A PostgreSQL server that sends its port to the parent process, and ends with it. */
import { launchPostgres } from "./launch-postgres.ts";

const server = await launchPostgres();
process.on("disconnect", () => {
  server.remove().then(
    () => process.exit(),
    () => process.exit(1),
  );
});
process.send?.(server.port);
