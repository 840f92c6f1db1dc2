import type { Connection } from '../../integrations/connections.service.ts'
import { openRunConnection, toRunProblem } from '../../integrations/connection/run-connections.service.ts'
import type { SourceSettings, Subtask, WriteStep } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { FormaValues } from '@trellis/contract/formas/forma'
import type { ReadRequest, Reading, Source } from '@trellis/connector-kit/connector'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import { FieldsRevised } from '@trellis/connector-kit/fields-revised'
import { SourceChanged } from '@trellis/connector-kit/source-changed'
import { SourceGone } from '@trellis/connector-kit/source-gone'
import { type Target, findTarget } from '@trellis/loads/target'
import type { Session } from '@trellis/workspace-db/session'
import { runChanges } from './changes/run-changes.ts'
import { discardGone } from './loads/discard-gone.ts'
import { toLoadFault } from './loads/load-faults.ts'
import { openRunDatabase, withLoadSession } from './loads/load-session.ts'
import { loadReading } from './loads/load-reading.ts'
import type { SubtaskLoad } from './loads/subtask-load.ts'
import { type PlanSubtaskInput, type ReadyPlan, planSubtask } from './loads/plan-subtask.ts'
import { readSourceMemory, saveSourceMemory } from './loads/source-memory.ts'
import { type RunWork, RunFault } from '../runner/run-work.ts'

type SourceWork = RunWork<SourceSettings>

export async function runSource(work: SourceWork): Promise<void> {
  const { settings } = work.block
  const readySubtasks = settings.subtasks.flatMap((subtask) =>
    subtask.write ? [{ subtask, write: subtask.write }] : [],
  )
  if (settings.integration_trellis_code === null || readySubtasks.length === 0) {
    throw new RunFault('configuration', 'Nothing is set up to be read.', {
      advice: 'Choose a connection and what to read, and publish the block.',
    })
  }
  const connection = await connect(work, settings.integration_trellis_code)
  const database = await openRunDatabase(work.ctx, work.workspace)
  await work.markWorking()
  const runReadySubtask = async ({ subtask, write }: (typeof readySubtasks)[number], signal: AbortSignal) => {
    work.signal.throwIfAborted()
    const withSession = (run: (session: Session) => Promise<void>) =>
      withLoadSession(database, { ...work, signal }, run)
    try {
      await runWithRevisedFields((revised) =>
        withSession((session) =>
          runSubtask({ work: { ...work, signal }, connection, session, subtask, write, revised }),
        ),
      ).catch(async (error: unknown) => {
        if (error instanceof SourceGone && !signal.aborted && !work.run.request.is_shadow)
          await withSession((session) => discardGone({ work, session, subtask, source: connection.name }, error))
        throw error
      })
    } catch (error) {
      work.signal.throwIfAborted()
      throw toLoadFault(error, subtask.name) ?? toConnectorFault(work, error, { connection, subtask: subtask.name })
    }
  }
  const isContinuous = ({ subtask }: (typeof readySubtasks)[number]) =>
    connection.connector.source?.changeLog?.isContinuous(subtask.query) === true && !work.run.request.is_shadow
  const continuousSubtasks = readySubtasks.filter((item) => isContinuous(item))
  assertEnoughSessions(work, continuousSubtasks.length)
  for (const item of readySubtasks) if (!isContinuous(item)) await runReadySubtask(item, work.signal)
  await runConcurrently(continuousSubtasks, { signal: work.signal, runOne: runReadySubtask })
}

/** Each continuous subtask holds a session: more than available would wait forever. */
function assertEnoughSessions({ ctx }: SourceWork, neededSessions: number): void {
  const { sessionsPerWorkspace: limit } = ctx.ports.config.runLimits
  if (neededSessions <= limit) return
  const message = `The block follows ${neededSessions} tables at once, and runs of a workspace have ${limit} database sessions.`
  throw new RunFault('configuration', message, {
    advice: 'Let some of the tables be read by schedule, or have TRELLIS_SESSIONS_PER_WORKSPACE raised.',
  })
}

/** Once for a provisional load contradicted by its rows, once for a source that changed: both left nothing behind. */
const MAX_REVISIONS = 2

async function runWithRevisedFields(run: (revised: FieldsRevised | undefined) => Promise<void>): Promise<void> {
  let revised: FieldsRevised | undefined
  for (let revisionsLeft = MAX_REVISIONS; ; revisionsLeft -= 1) {
    try {
      return await run(revised)
    } catch (error) {
      // It may change before anything is loaded, too.
      const isChanged = error instanceof SourceChanged
      if (!isChanged && !(error instanceof FieldsRevised)) throw error
      // Such as a source that changes all the time.
      if (revisionsLeft === 0) throw error.cause ?? error
      revised = isChanged ? new FieldsRevised(undefined, { cause: error }) : error
    }
  }
}

async function runConcurrently<T>(
  items: readonly T[],
  { signal, runOne: runReadySubtask }: { signal: AbortSignal; runOne: (part: T, signal: AbortSignal) => Promise<void> },
): Promise<void> {
  const stopping = new AbortController()
  const anySignal = AbortSignal.any([signal, stopping.signal])
  let fault: { readonly error: unknown } | undefined
  await Promise.all(
    items.map((part) =>
      runReadySubtask(part, anySignal).catch((error: unknown) => {
        fault ??= { error }
        stopping.abort(new Error('Another subtask failed.'))
      }),
    ),
  )
  if (fault) throw fault.error
}

async function connect(work: SourceWork, integrationCode: string): Promise<Connection & { name: string }> {
  const { ctx, account, workspace, signal } = work
  try {
    return await openRunConnection(
      ctx,
      { accountId: account.id, workspace, integrationCode },
      { signal, log: (level, message) => work.log(level, message) },
    )
  } catch (error) {
    throw toConnectorFault(work, error, { connection: undefined, subtask: undefined })
  }
}

function toConnectorFault(
  { ctx }: SourceWork,
  error: unknown,
  { connection, subtask }: { connection: Connection | undefined; subtask: string | undefined },
): RunFault {
  const { kind, message, advice, retryAfterMs } = toRunProblem(ctx, error, connection)
  // Without the cause, which may contain secrets and would be logged.
  return new RunFault(kind, message, {
    ...(advice !== null && { advice }),
    ...(subtask !== undefined && { subtask }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })
}

interface SubtaskWork {
  readonly work: SourceWork
  readonly connection: Connection & { readonly name: string }
  readonly session: Session
  readonly subtask: Subtask
  readonly write: WriteStep
  readonly revised: FieldsRevised | undefined
}

async function runSubtask(subtaskWork: SubtaskWork): Promise<void> {
  const { work, connection, session, subtask, write } = subtaskWork
  const { connector, context } = connection
  const { source } = connector
  const { window, overrides = {} } = work.run.request
  if (!source) throw new RunFault('configuration', `${connector.name} can not be read from.`, { subtask: subtask.name })
  if (window && write.strategy === 'Replace') {
    throw new RunFault('configuration', 'A table that is replaced completely can not be loaded for a range of time.', {
      advice: 'Choose Append or Upsert, or run the block without a range.',
      subtask: subtask.name,
    })
  }
  const query = applyOverrides(subtask.query, overrides)
  const table = { schema: write.schema_name, table: write.table_name }
  const { changeLog } = source
  if (changeLog?.isWanted(subtask.query) && !work.run.request.is_shadow) {
    const describe = () => describeReading(source, context, { query: subtask.query })
    const integrationCode = work.block.settings.integration_trellis_code ?? ''
    const changeSource = { context, changeLog, describe, source: connection.name, integrationCode }
    return await runChanges({ work, session, subtask, write, table, ...changeSource })
  }
  const target = await findTarget(session, table)
  const [describingContext, readingContext] = dedupeLogs(context)
  // Fields, key and cursor decide the table's shape, so they are read first.
  const knownTypes = write.dataModel && { types: write.dataModel.fields }
  const described = await describeReading(source, describingContext, {
    query,
    ...knownTypes,
    ...getReadMode(subtaskWork),
  })
  const { request } = work.run
  const memory = await readSourceMemory(work, subtask.name)
  const plan = planReading({ subtask, write, reading: described, target, memory, request })
  for (const line of plan.log) work.log('INFO', line, subtask.name)
  const subtaskLoad: SubtaskLoad = {
    work,
    session,
    subtask: { ...subtask, query },
    write,
    plan,
    table,
    hasTable: target !== undefined,
    ...(described.isProvisional && { isProvisional: true }),
    sourceKeyAndCursor: { key: described.key, cursor: described.cursor },
    source: connection.name,
    integrationCode: work.block.settings.integration_trellis_code ?? '',
    read: async (state) =>
      await source.read(readingContext, {
        query,
        ...knownTypes,
        found: described.found,
        isInKeyOrder: write.strategy === 'Append' && hasSameKey(plan, described, target),
        ...(state !== null && { state: state as never }),
        ...(window && { window }),
      }),
  }
  await loadReading(subtaskLoad)
  await saveSourceMemory(work, subtask.name, plan)
}

/** Rows in the order of the key go to the end of its index. */
function hasSameKey(
  { wanted: neededSessions, columns }: ReadyPlan,
  { key }: Reading,
  target: Target | undefined,
): boolean {
  const [first] = target?.primaryKey ?? neededSessions.primaryKey
  return first !== undefined && columns.find(({ name }) => name === first)?.field === key[0]
}

const getReadMode = ({ work, revised }: SubtaskWork): Pick<ReadRequest, 'found' | 'allowsProvisional'> =>
  revised ? { found: revised.found } : { allowsProvisional: work.run.request.is_shadow !== true }

/** Only a complete reading may change a table or ask for a decision. */
function planReading(input: PlanSubtaskInput & { readonly reading: Reading }): ReadyPlan {
  if (!input.reading.isProvisional) return planSubtask(input)
  try {
    const plan = planSubtask(input)
    if (plan.make.length + plan.leave.length === 0) return plan
  } catch (error) {
    if (!(error instanceof RunFault)) throw error
  }
  throw new FieldsRevised()
}

/** For a look and the read after it: what the look has said is left out of what the read says. */
function dedupeLogs(context: ConnectorContext): [looking: ConnectorContext, reading: ConnectorContext] {
  const loggedMessages: string[] = []
  const logAndRemember: ConnectorContext['log'] = (level, message) => {
    loggedMessages.push(message)
    context.log(level, message)
  }
  const logUnlessRepeated: ConnectorContext['log'] = (level, message) => {
    const index = loggedMessages.indexOf(message)
    if (index === -1) context.log(level, message)
    else loggedMessages.splice(index, 1)
  }
  return [
    { ...context, log: logAndRemember },
    { ...context, log: logUnlessRepeated },
  ]
}

async function describeReading(source: Source, context: ConnectorContext, request: ReadRequest): Promise<Reading> {
  const described = await source.read(context, { ...request, limit: 1 })
  for await (const _ of described.batches) break
  return described
}

function applyOverrides(query: FormaValues, overrides: Readonly<Record<string, unknown>>): FormaValues {
  const changedQuery: Record<string, Record<string, unknown>> = structuredClone(query) as never
  for (const [name, value] of Object.entries(overrides)) {
    const [section = '', element] = name.split('.')
    const values = element === undefined ? (value as Record<string, unknown>) : { [element]: value }
    if (typeof values === 'object' && values !== null) changedQuery[section] = { ...changedQuery[section], ...values }
  }
  return changedQuery as FormaValues
}
