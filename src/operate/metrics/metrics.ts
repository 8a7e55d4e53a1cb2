/**
 * A registry of metrics. A caller resolves the labels once and keeps the cell: counting is then an addition,
 * without a look-up or an allocation per request.
 */
export interface Metrics {
  counter(name: string, help: string, labelNames?: readonly string[]): MetricFamily<Counter>;
  /** `merge` says how the values of several processes become one; a sum by default. */
  gauge(
    name: string,
    help: string,
    labelNames?: readonly string[],
    merge?: MetricSnapshot["merge"],
  ): MetricFamily<Gauge>;
  /** `bounds` are the upper bounds of the buckets, ascending; a bucket without one is added. */
  histogram(
    name: string,
    help: string,
    bounds: readonly number[],
    labelNames?: readonly string[],
  ): MetricFamily<Histogram>;
  /** `update` sets gauges right before they are read. */
  onScrape(update: () => void | Promise<void>): void;
  /** Forgets all cells, for metrics that are read again for each scrape. */
  clear(): void;
  snapshot(): Promise<MetricSnapshot[]>;
}

export interface MetricFamily<Cell> {
  /** The cell of these labels, in the order of their names. An empty label is left out of the text. */
  with(...labels: readonly string[]): Cell;
  /** Forgets one cell, of a gauge or of something that exists no more. */
  remove(...labels: readonly string[]): void;
}

export interface Counter {
  add(count?: number): void;
  /** Sets a total that is counted elsewhere. */
  set(total: number): void;
}

export interface Gauge {
  set(value: number): void;
}

export interface Histogram {
  observe(value: number): void;
}

/** The values of a metric at one moment, as plain data: a worker sends them to the primary process. */
export interface MetricSnapshot {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly labelNames: readonly string[];
  /** How the values of several processes become one. */
  readonly merge: "sum" | "max";
  /** The upper bounds of a histogram's buckets; the last bucket has none. */
  readonly bounds: readonly number[];
  readonly samples: readonly Sample[];
}

export interface Sample {
  /** The values of the labels, in the order of the label names. */
  readonly labels: readonly string[];
  /** The value; of a histogram, the sum of what was observed. */
  readonly value: number;
  /** How many observations each bucket of a histogram has, without those of smaller buckets. */
  readonly counts: readonly number[];
}

const NAME = /^[a-z][a-z0-9_]*$/;

type AnyCell = NumberCell | HistogramCell;

interface Registered {
  readonly name: string;
  readonly cells: Map<string, AnyCell>;
  readonly description: Omit<MetricSnapshot, "samples">;
}

export function createMetrics(): Metrics {
  const families: Registered[] = [];
  const updates: (() => void | Promise<void>)[] = [];

  function register<Cell extends AnyCell>(
    description: Omit<MetricSnapshot, "samples">,
    create: (labels: readonly string[]) => Cell,
  ): MetricFamily<Cell> {
    const { name, labelNames } = description;
    if (![name, ...labelNames].every((text) => NAME.test(text))) {
      throw new Error(`The metric "${name}" or one of its labels has an invalid name`);
    }
    if (families.some((family) => family.name === name)) {
      throw new Error(`The metric "${name}" is registered already`);
    }
    const cells = new Map<string, Cell>();
    families.push({ name, cells, description });
    return {
      with(...labels) {
        if (labels.length !== labelNames.length) {
          throw new Error(`The metric "${name}" has the labels ${labelNames.join(", ")}`);
        }
        const key = labels.join("\0");
        const known = cells.get(key);
        if (known !== undefined) return known;
        const cell = create(labels);
        cells.set(key, cell);
        return cell;
      },
      remove: (...labels) => void cells.delete(labels.join("\0")),
    };
  }

  const registerNumber = (
    type: MetricSnapshot["type"],
    name: string,
    help: string,
    labelNames: readonly string[],
    merge: MetricSnapshot["merge"],
  ) =>
    register(
      { name, help, type, labelNames, merge, bounds: [] },
      (labels) => new NumberCell(labels),
    );

  return {
    counter: (name, help, labelNames = []) =>
      registerNumber("counter", name, help, labelNames, "sum"),
    gauge: (name, help, labelNames = [], merge = "sum") =>
      registerNumber("gauge", name, help, labelNames, merge),
    histogram: (name, help, bounds, labelNames = []) =>
      register(
        { name, help, type: "histogram", labelNames, merge: "sum", bounds },
        (labels) => new HistogramCell(labels, bounds),
      ),
    onScrape: (update) => void updates.push(update),
    clear() {
      for (const { cells } of families) cells.clear();
    },
    async snapshot() {
      await Promise.all(updates.map(async (update) => update()));
      return families.map(({ description, cells }) => ({
        ...description,
        samples: Array.from(cells.values(), (cell) => cell.sample()),
      }));
    },
  };
}

/** Classes, so that a cell is a few fields and its methods are shared. */
class NumberCell implements Counter, Gauge {
  readonly #labels: readonly string[];
  #value = 0;

  constructor(labels: readonly string[]) {
    this.#labels = labels;
  }

  add(count = 1): void {
    this.#value += count;
  }

  set(value: number): void {
    this.#value = value;
  }

  sample(): Sample {
    return { labels: this.#labels, value: this.#value, counts: [] };
  }
}

class HistogramCell implements Histogram {
  readonly #labels: readonly string[];
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;

  constructor(labels: readonly string[], bounds: readonly number[]) {
    this.#labels = labels;
    this.#bounds = bounds;
    this.#counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  observe(value: number): void {
    const bounds = this.#bounds;
    let index = 0;
    while (index < bounds.length && value > (bounds[index] as number)) index++;
    (this.#counts[index] as number)++;
    this.#sum += value;
  }

  sample(): Sample {
    return { labels: this.#labels, value: this.#sum, counts: [...this.#counts] };
  }
}
