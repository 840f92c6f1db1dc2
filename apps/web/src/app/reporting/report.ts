type Reporter = (error: unknown) => void
type LoadSentry = () => Promise<{ startSentry: (dsn: string) => Reporter }>

let reporter: Promise<Reporter> | undefined

function findDsn(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[name="trellis-report-dsn"]')?.content || undefined
}

/** Loaded only when a DSN is configured. */
export function startReporting(load: LoadSentry = () => import('./sentry.ts')): void {
  const dsn = findDsn()
  if (dsn === undefined || reporter) return
  reporter = load().then(({ startSentry }) => startSentry(dsn))
  reporter.catch(() => undefined)
}

export function reportError(error: unknown): void {
  void reporter?.then((report) => report(error)).catch(() => undefined)
}
