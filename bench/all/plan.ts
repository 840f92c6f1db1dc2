/** One run of a bench; `as` keeps the results of several sizes apart. */
export interface Measurement {
  readonly bench: string
  readonly as?: string
  readonly args?: readonly string[]
  /** Small enough to try the report; the figures say little. */
  readonly quick: readonly string[]
  readonly needsChromium?: boolean
}

export const MEASUREMENTS: readonly Measurement[] = [
  { bench: 'api', quick: ['--minutes', '0.1'] },
  {
    bench: 'loads',
    quick: ['--rows', '100000', '--rounds', '1', '--only', 'postgres,csv,growth', '--most', '1000000'],
  },
  { bench: 'uploads', quick: ['--mb', '100', '--rounds', '1'] },
  { bench: 'connectors', quick: ['--rows', '100000', '--rounds', '1'] },
  { bench: 'cdc', quick: ['--rows', '20000', '--changes', '20000', '--rounds', '1', '--seconds', '5'] },
  { bench: 'explorer', quick: ['--rows', '100000', '--tables', '2000'] },
  { bench: 'sandbox', quick: ['--rows', '100000'] },
  {
    bench: 'scheduling',
    as: 'scheduling-100',
    args: ['--at-once', '100', '--per-minute', '30'],
    quick: ['--at-once', '10', '--per-minute', '10'],
  },
  { bench: 'scheduling', quick: ['--at-once', '100', '--per-minute', '30'] },
  { bench: 'workers', quick: [] },
  { bench: 'sql', quick: ['--only', 'overhead,stream,export', '--rows', '100000', '--rounds', '1'] },
  ...[2, 20].map((workspaces) => ({
    bench: 'sql',
    as: `people-${workspaces}`,
    args: ['--only', 'people', '--workspaces', String(workspaces)],
    quick: ['--only', 'people', '--workspaces', String(workspaces), '--people', '1', '--seconds', '3', '--rounds', '1'],
  })),
  { bench: 'neighbours', quick: ['--rounds', '1', '--seconds', '3', '--only', 'locks'] },
  { bench: 'web', quick: [], needsChromium: true },
  { bench: 'canvas', quick: ['--blocks', '600'], needsChromium: true },
  { bench: 'charts', quick: ['--points', '10000'], needsChromium: true },
  { bench: 'completion', quick: [], needsChromium: true },
  { bench: 'assistant', args: ['--only', 'shop'], quick: ['--only', 'first-part'], needsChromium: true },
]

export const getResultName = ({ bench, as }: Pick<Measurement, 'bench' | 'as'>) => as ?? bench

export interface Curve {
  readonly title: string
  readonly x: string
  /** Finds a figure by result and text; the first group of the pattern, or `at`, is its place on the axis. */
  readonly points: readonly { readonly result: string; readonly what: RegExp; readonly at?: number }[]
}

export const CURVES: readonly Curve[] = [
  {
    title: 'Time a row takes in an Append',
    x: 'rows',
    points: [{ result: 'loads', what: /^Append of (\d+) rows: a row takes$/ }],
  },
  {
    title: 'Until the last of flows due at once has started',
    x: 'flows due at once',
    points: ['scheduling-100', 'scheduling'].map((result) => ({
      result,
      what: /^(\d+) due at once: the last has started$/,
    })),
  },
  {
    title: 'p99 of light queries of all people',
    x: 'workspaces (tenants)',
    points: [2, 20].map((at) => ({ result: `people-${at}`, what: /^all people with light queries, p99$/, at })),
  },
  {
    title: 'Runs of one workspace in a second',
    x: 'workers',
    points: ['one worker', 'two workers', 'three workers'].map((what, at) => ({
      result: 'workers',
      what: new RegExp(`^${what}$`),
      at: at + 1,
    })),
  },
  {
    title: 'Delivery of a CSV file',
    x: 'MB',
    points: [{ result: 'uploads', what: /^(\d+) MB: delivery \(check, stage, take place\)$/ }],
  },
]
