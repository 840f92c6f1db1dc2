import type { RestReport } from '@trellis/contract/integrations/rest-manifest'
import { ConnectorError } from '../connector-error.ts'
import { call } from '../http/call.ts'
import { getValue } from './path.ts'
import { type Run, buildRequest } from './run.ts'
import type { Scope } from './scope.ts'

const EVERY_SECONDS = 5
const MAX_MINUTES = 60

/** Requests a report and polls until it is ready; resumes one that an earlier attempt requested. */
export async function finishReport(
  run: Run,
  report: RestReport,
  { scope, id }: { scope: Scope; id: string | undefined },
): Promise<string> {
  const known = id ?? (await createReport(run, report, scope))
  const { every_seconds: seconds = EVERY_SECONDS, most_minutes: minutes = MAX_MINUTES } = report
  const until = run.context.now().getTime() + minutes * 60_000
  for (;;) {
    const status = await readStatus(run, report, { ...scope, report: known })
    if (report.done.includes(status)) return known
    if (report.failed.includes(status)) {
      throw new ConnectorError('transient', `${run.platform} could not make the report (${status}).`, {
        advice: 'A shorter range of time or fewer fields may help.',
      })
    }
    if (run.context.now().getTime() >= until) {
      throw new ConnectorError('transient', `${run.platform} did not finish the report within ${minutes} minutes.`)
    }
    // Polling without a pause would exceed the rate limit.
    await run.context.wait(Math.max(0.05, seconds) * 1000)
  }
}

async function createReport(run: Run, report: RestReport, scope: Scope): Promise<string> {
  const answer = await call(run.context, buildRequest(run, report.create, { scope, page: {} }), run.rules)
  const id = getValue(answer.json(), report.id)
  if (typeof id === 'string' || typeof id === 'number') return String(id)
  throw new ConnectorError('configuration', `${run.platform} named no report to wait for.`, {
    advice: `Check where the id of the report stands; nothing was found at "${report.id}".`,
  })
}

async function readStatus(run: Run, report: RestReport, scope: Scope): Promise<string> {
  const answer = await call(run.context, buildRequest(run, report.poll, { scope, page: {} }), run.rules)
  const status = getValue(answer.json(), report.status)
  return typeof status === 'string' || typeof status === 'number' || typeof status === 'boolean' ? String(status) : ''
}
