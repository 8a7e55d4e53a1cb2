/** The time that stores take, and how many transactions share a commit. */
import type { DatabaseObserver } from "../../database/database-observer.ts";
import type { Metrics } from "./metrics.ts";

const SECONDS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 10,
];
/** A group has 64 transactions at most, and so has a transaction pushes. */
export const GROUP_SIZES = [1, 2, 4, 8, 16, 32, 64];
const LABELS = ["service"];

export type StoreMetrics = (service: string) => DatabaseObserver;

export function createStoreMetrics(metrics: Metrics): StoreMetrics {
  const transactions = metrics.histogram(
    "trellis_store_transaction_duration_seconds",
    "Time of a transaction, its wait for the writer and the commit included",
    SECONDS,
    LABELS,
  );
  const queries = metrics.histogram(
    "trellis_store_query_duration_seconds",
    "Time of a query outside a transaction",
    SECONDS,
    LABELS,
  );
  const commits = metrics.histogram(
    "trellis_store_commit_duration_seconds",
    "Time of a commit to the disk or to PostgreSQL",
    SECONDS,
    LABELS,
  );
  const groups = metrics.histogram(
    "trellis_store_group_size",
    "Transactions that share one commit",
    GROUP_SIZES,
    LABELS,
  );
  const failures = metrics.counter(
    "trellis_store_failures_total",
    "Transactions and queries for which the store was not available",
    LABELS,
  );
  return (service) => {
    const [transaction, query, commit, group, failure] = [
      transactions.with(service),
      queries.with(service),
      commits.with(service),
      groups.with(service),
      failures.with(service),
    ];
    return {
      transaction: (durationMs) => transaction.observe(durationMs / 1000),
      query: (durationMs) => query.observe(durationMs / 1000),
      commit(size, durationMs) {
        commit.observe(durationMs / 1000);
        group.observe(size);
      },
      failure: () => failure.add(),
    };
  };
}
