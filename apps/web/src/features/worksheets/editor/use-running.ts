import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { useWhenLoaded } from '../../../ui/forms/use-when-loaded.ts'
import { type SqlInput, useSqlJob } from '../sql.queries.ts'
import { useWorksheets } from '../use-worksheets.ts'
import { getPersonalKey } from './draft/personal-key.ts'
import { useQueryDatabases } from './use-query-databases.ts'
import type { RunOptions } from './running/run-options.ts'
import type { CommitMode } from './transaction/use-commit-mode.ts'
import type { RunRequest } from './worksheet-editor-props.ts'

type Explain = 'none' | 'plan' | 'analyze'

interface RunInput {
  request: RunRequest
  explain: Explain
}

const loadRequests = () => import('./running/prepare-request.ts')

/** The worksheet's last job is found again after a reload. */
export function useRunning(fileId: string, readText: () => string, options: RunOptions & { commit: CommitMode }) {
  const { params } = useWorksheets()
  const { database, databases, own, isLoading, choose } = useQueryDatabases(fileId)
  const canCommitManually = database === own
  const [ran, setRan] = useState(() => ({ text: readText(), offset: 0 }))
  const [sqlInput, setAsked] = useState<SqlInput | null>(null)
  const [losses, setLosses] = useState<string | null>(null)
  const jobKey = getPersonalKey('job', fileId)
  const { run: start, ...job } = useSqlJob(params, localStorage.getItem(jobKey), (id) =>
    localStorage.setItem(jobKey, id),
  )
  useEffect(() => {
    // Prefetched; errors surface on the first run.
    loadRequests().catch(() => undefined)
  }, [])
  const send = async (input: SqlInput) => {
    try {
      await start(input)
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'conflict') throw error
      setAsked(input)
      setLosses(error.detail)
    }
  }
  const prepareAndSend = async (database: string, request: RunRequest, explain: Explain) => {
    const { prepareRequest } = await loadRequests()
    const { sql, cursor, isExpanded } = prepareRequest(request)
    // Error positions in expanded psql commands do not exist in the editor.
    setRan({ text: isExpanded ? sql : request.text, offset: isExpanded ? Number.NaN : request.offset })
    await send({
      integration_trellis_code: database,
      sql,
      ...(cursor !== undefined && { cursor }),
      explain,
      ask_first: options.mustAsk,
      row_limit: options.rowLimit,
      timeout_seconds: options.timeoutSeconds,
      parameters: options.chooseParameters(sql),
      file_id: fileId,
      commit: canCommitManually ? options.commit : 'auto',
    })
  }
  // State is a render late: two quick presses would start two jobs.
  const isSending = useRef(false)
  const { request: ask, isWaiting } = useWhenLoaded(isLoading, ({ request, explain }: RunInput) => {
    if (database === null || job.isRunning || isSending.current) return
    isSending.current = true
    void prepareAndSend(database, request, explain).finally(() => (isSending.current = false))
  })
  const run = (request: RunRequest, explain: Explain = 'none') => {
    if (!job.isRunning && request.sql.trim() !== '') ask({ request, explain })
  }
  return {
    ...job,
    run,
    /** Queued until the databases are loaded. */
    isWaiting,
    canRun: isLoading || database !== null,
    /** The submitted text and its offset in the editor. */
    ran,
    database,
    databases,
    choose,
    /** Not on connected databases. */
    canCommitManually,
    /** Destructive effects waiting for confirmation. */
    losses,
    confirm: () => {
      setLosses(null)
      if (sqlInput) void send({ ...sqlInput, ask_first: false })
    },
    dismiss: () => setLosses(null),
  }
}

export type RunningQuery = ReturnType<typeof useRunning>
