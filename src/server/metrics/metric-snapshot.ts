/** The values of metrics at one moment, as plain data: a worker sends them to the primary process. */
export type MetricType = "counter" | "gauge" | "histogram";

export interface MetricSnapshot {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  readonly labelNames: readonly string[];
  /** How the values of several processes become one. */
  readonly merge: "sum" | "max";
  /** The upper bounds of a histogram's buckets; the last bucket has none. */
  readonly bounds: readonly number[];
  readonly samples: readonly Sample[];
}

export interface Sample {
  /** In the order of the label names. */
  readonly labels: readonly string[];
  /** Of a histogram, the sum of what was observed. */
  readonly value: number;
  /** Of a histogram, how many observations each bucket has, without those of smaller buckets. */
  readonly counts: readonly number[];
}
