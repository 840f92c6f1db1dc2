type Reporter = (error: unknown) => void

let reporter: Promise<Reporter> | undefined

function findDsn(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[name="trellis-report-dsn"]')?.content || undefined
}

/** Loads the reporting code only where a DSN is configured; everywhere else not a byte of it is fetched. */
export function startReporting(): void {
  const dsn = findDsn()
  if (dsn === undefined || reporter) return
  reporter = import('./sentry.ts').then(({ startSentry }) => startSentry(dsn))
  reporter.catch(() => undefined)
}

export function reportError(error: unknown): void {
  void reporter?.then((report) => report(error)).catch(() => undefined)
}
