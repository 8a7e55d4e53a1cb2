/** How much longer a client takes with more data. */
import { join } from "node:path";
import { compare, measure, median, type Candidate } from "../measure.ts";
import { startWorker } from "../processes.ts";
import type { Benchmark } from "../run-benchmark.ts";
import type { GrowthOrder, GrowthResult } from "./growth-worker.ts";
import type { GrowthRow } from "./report-client.ts";

const MANY = 20_000;
const FEW = 2000;

/** Ratios of times, each with the greatest that is allowed. */
export async function measureGrowth(
  { isQuick, use, progress, createFolder }: Benchmark,
  port: number,
): Promise<readonly GrowthRow[]> {
  const folder = await createFolder();
  const worker = use(startWorker<GrowthOrder, GrowthResult>("client/growth-worker.ts", "free"));
  const effort = { rounds: isQuick ? 3 : 9, warmupRounds: 1 };
  const grow = async (scenario: string, kind: "open" | "list", bound: number) => {
    progress(`Measuring ${scenario}`);
    const candidate = (entities: number): Candidate => ({
      name: String(entities),
      pid: worker.pid,
      run: () => worker.ask({ kind, path: join(folder, `${entities}.db`), entities }),
    });
    const [many, few] = await measure([candidate(MANY), candidate(FEW)], effort);
    // Rates are compared, and the bounds are those of times.
    return { scenario, ratio: 1 / compare(many, few).ratio.median, bound };
  };
  const upload = async (scenario: string, bound: number) => {
    progress(`Measuring ${scenario}`);
    const ratios: number[] = [];
    for (let round = isQuick ? 1 : 3; round > 0; round--) {
      const path = join(folder, `upload-${round}.db`);
      const order = { kind: "upload", path, entities: MANY, port } as const;
      const { seconds, pushSeconds = Number.NaN } = await worker.ask(order);
      ratios.push(seconds / pushSeconds);
    }
    return { scenario, ratio: median(ratios), bound };
  };
  const between = `${MANY} entities against ${FEW}`;
  return [
    await grow(`opening, ${between}`, "open", 10),
    await grow(`an edit and the list after it, ${between}`, "list", 2),
    await upload(`an upload of ${MANY} edits against its pushes alone`, 1.2),
  ];
}
