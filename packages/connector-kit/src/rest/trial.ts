import type { RestManifest } from '@trellis/contract/integrations/rest-manifest'
import type { Problem, RestTrialResult } from '@trellis/contract/integrations/integrations.schemas'
import { ConnectorError } from '../connector-error.ts'
import type { ConnectorContext } from '../context.ts'
import type { Attempt } from '../http/call.ts'
import { maskSecrets } from '../http/mask.ts'
import { toPreview } from '../preview.ts'
import { checkManifest } from './check-manifest.ts'
import { convertPage } from './convert-page.ts'
import { inferFields } from './infer.ts'
import { type Page, readPages, getFullRange } from './pages.ts'
import { type Run, type RunOptions, getStream, startRun } from './run.ts'

type TrialPage = RestTrialResult['pages'][number]

interface Trial extends RunOptions {
  readonly manifest: RestManifest
  readonly stream: string
  readonly pages?: number | undefined
}

const MAX_BODY_LENGTH = 20_000
const MAX_RECORDS = 50
const MAX_EMPTY_WINDOWS = 10

/** Records every request and response, secrets masked. Returns the user's errors instead of throwing. */
export async function tryManifest(context: ConnectorContext, trial: Trial): Promise<RestTrialResult> {
  const faults = checkManifest(trial.manifest)
  if (faults.length > 0) return { pages: [], preview: null, problem: null, faults }
  const attempts: Attempt[] = []
  const run = startRun(context, trial.manifest, {
    ...trial,
    maxAttempts: 1,
    onAttempt: (attempt) => attempts.push(attempt),
  })
  const shown: TrialPage[] = []
  const records: unknown[] = []
  const flush = (page?: Page) => {
    const made = attempts.splice(0).map((attempt) => maskAttempt(run, attempt))
    const last = made.at(-1)
    if (last && page) {
      last.records = page.records.slice(0, MAX_RECORDS)
      last.next = page.next === undefined ? null : maskSecrets(String(page.next), run.secrets)
    }
    shown.push(...made)
  }
  try {
    const stream = getStream(trial.manifest, trial.stream)
    const reading = readPages({ run, stream, range: getFullRange(run, stream) })
    const most = trial.pages ?? 1
    let full = 0
    for await (const page of reading) {
      flush(page)
      records.push(...page.records)
      if (page.records.length > 0) full += 1
      if (full >= most || shown.length >= most + MAX_EMPTY_WINDOWS) break
    }
    return { pages: shown, preview: toRecordPreview(run, trial, records), problem: null, faults }
  } catch (error) {
    flush()
    return { pages: shown, preview: null, problem: toProblem(error), faults }
  }
}

function toRecordPreview(run: Run, { manifest, stream: name }: Trial, records: readonly unknown[]) {
  const stream = getStream(manifest, name)
  const { key = [], cursor } = stream
  const fields = stream.fields
    ? stream.fields.map(({ name: field, type }) => ({ name: field, type, isNullable: !key.includes(field) }))
    : inferFields(records, key)
  const rows = convertPage(run.context, stream, fields)(records)
  return toPreview({ fields, key, cursor: cursor?.field ?? null }, { rows, isCut: false })
}

function toProblem(error: unknown): Problem {
  if (!(error instanceof ConnectorError)) throw error
  const { kind, message, advice, field } = error
  return { kind, message, advice: advice ?? null, field: field ?? null }
}

const PRIVATE_HEADERS = new Set(['authorization', 'cookie', 'set-cookie', 'proxy-authorization'])

function maskAttempt(run: Run, { url, request, answer, tookMs }: Attempt): TrialPage {
  const mask = (text: string) => maskSecrets(text, run.secrets)
  const maskHeaders = (headers: Iterable<readonly [string, string]>) =>
    Object.fromEntries(
      [...headers].map(([name, value]) => [name, PRIVATE_HEADERS.has(name.toLowerCase()) ? '•••' : mask(value)]),
    )
  return {
    request: {
      method: request.method ?? 'GET',
      url: mask(url),
      headers: maskHeaders(Object.entries(request.headers ?? {})),
      body: typeof request.body === 'string' ? mask(request.body) : null,
    },
    response: answer
      ? {
          status: answer.status,
          headers: maskHeaders(answer.headers),
          body: mask(answer.text.slice(0, MAX_BODY_LENGTH)),
          is_cut: answer.text.length > MAX_BODY_LENGTH,
          took_ms: Math.max(0, Math.round(tookMs)),
        }
      : null,
    records: [],
    next: null,
  }
}
