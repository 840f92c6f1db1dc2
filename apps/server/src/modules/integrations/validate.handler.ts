import type { JobRun } from '@trellis/jobs/attempt'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { Problem } from '@trellis/contract/integrations/integrations.schemas'
import type { SystemCtx } from '../../platform/ctx.ts'
import { raceWithSignal } from './connection/or-ended.ts'
import { isUnexpected, toProblem, scrubbedError } from './connection/problem.ts'
import { createScrub } from './connection/scrub.ts'
import { type Connection, openConnection, withInteractiveLimits } from './connections.service.ts'
import { CHECK_SECONDS } from './integrations.jobs.ts'
import {
  findIntegrationRow,
  findStuck,
  deleteOldLinks,
  insertEvent,
  toAccountScope,
  finishValidation,
} from './integrations.repository.ts'
import type { StoredIntegration } from './stored-integration.ts'

const MAX_FOUND = 50
/** Longer than all attempts together. */
const STUCK_MS = 6 * 60_000

interface Check {
  readonly integration_id: number
  readonly number: number
}

export interface CheckRun extends Pick<JobRun, 'signal' | 'isLastAttempt'> {
  readonly deadlineMs?: number
}

/** Discarded if a newer check or change exists. */
export async function handleValidate(ctx: SystemCtx, payload: Check, run: CheckRun): Promise<void> {
  const integrationRow = await findIntegrationRow(ctx, payload.integration_id)
  if (
    !integrationRow ||
    integrationRow.validation_number !== payload.number ||
    integrationRow.validation !== 'VALIDATING'
  )
    return
  const row: StoredIntegration = { ...integrationRow, is_managed: false }
  const deadline = AbortSignal.timeout(run.deadlineMs ?? CHECK_SECONDS * 1000)
  const signal = AbortSignal.any([run.signal, deadline])
  let scrub = createScrub([])
  try {
    const connection = withInteractiveLimits(await openConnection(ctx, row, signal))
    scrub = connection.scrub
    const lines = await raceWithSignal(connection.connector.check(connection.context), signal)
    await markSucceeded(ctx, row, { connection, lines })
  } catch (error) {
    const fault = deadline.aborted ? validationTimeoutError() : error
    // Worker stopped or job lost: another attempt continues.
    if (run.signal.aborted) throw new Error('The check was interrupted.', { cause: error })
    if (isUnexpected(fault)) {
      const told = scrubbedError(fault, scrub)
      ctx.log.error({ fault: told, integration: row.trellis_code }, 'A check of a connection failed unexpectedly.')
      if (!run.isLastAttempt) throw new Error(told.message, { cause: error })
    }
    await fail(ctx, row, toProblem(fault, scrub))
  }
}

const validationTimeoutError = () =>
  new ConnectorError('transient', 'The connected system did not answer in time.', {
    advice: 'Compare the address with what the system shows, and check whether a firewall blocks the connection.',
  })

async function markSucceeded(
  ctx: SystemCtx,
  row: StoredIntegration,
  { connection, lines }: { connection: Connection; lines: readonly { label: string; value: string }[] },
): Promise<void> {
  const found = connection.scrub
    .deep([...lines])
    .slice(0, MAX_FOUND)
    .map(({ label, value }) => ({ label: label.slice(0, 200), value: value.slice(0, 1000) }))
  const values = {
    state: 'ACTIVE',
    validation: 'COMPLETED_SUCCESS',
    problem: null,
    found: JSON.stringify(found),
  } as const
  await saveOutcome(ctx, row, { values, what: 'Checked: it works' })
}

async function fail(ctx: SystemCtx, row: StoredIntegration, problem: Problem): Promise<void> {
  const values = {
    state: 'ERROR',
    validation: 'COMPLETED_ERROR',
    problem: JSON.stringify(problem),
    found: '[]',
  } as const
  await saveOutcome(ctx, row, { values, what: `Check failed: ${problem.message}` })
}

type ValidationResult = Parameters<typeof finishValidation>[2]

async function saveOutcome(
  ctx: SystemCtx,
  row: Pick<StoredIntegration, 'id' | 'account_id' | 'validation_number'>,
  { values, what }: { values: ValidationResult; what: string },
): Promise<void> {
  const scope = toAccountScope(ctx, row.account_id)
  const check = { id: row.id, number: row.validation_number }
  const isLatest = await finishValidation(scope, check, { ...values, validation_finished_at: ctx.clock.now() })
  if (isLatest) await insertEvent(scope, { integrationId: row.id, profileId: null, what })
}

/** Checks whose worker died in its last attempt would run forever. */
export async function handleClearIntegrations(ctx: SystemCtx): Promise<void> {
  const now = ctx.clock.now()
  const problem: Problem = {
    kind: 'transient',
    message: 'The check was interrupted.',
    advice: 'Start it again.',
    field: null,
  }
  for (const row of await findStuck(ctx, new Date(now.getTime() - STUCK_MS))) {
    const values = { state: 'ERROR', validation: 'COMPLETED_ERROR', problem: JSON.stringify(problem) } as const
    await saveOutcome(ctx, row, { values, what: 'Check interrupted' })
  }
  await deleteOldLinks(ctx, now)
}
