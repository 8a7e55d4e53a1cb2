/** A PostgreSQL server that tells its parent its port, and ends with it. */
import { launchPostgres } from "./launch-postgres.ts";

const server = await launchPostgres();
process.on("disconnect", () => {
  server.remove().then(
    () => process.exit(),
    () => process.exit(1),
  );
});
process.send?.(server.port);
