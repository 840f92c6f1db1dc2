import { generateTrellisCode } from '../platform/trellis-code.ts'
import type { Progress, RunRequest, RunWork, Work } from '../modules/runs/runner/run-work.ts'
import type { TestApp } from './test-app.ts'
import type { ReadyWorkspace } from './workspace.ts'

export interface Attempt {
  readonly rootCode?: string
  readonly request?: RunRequest
  readonly epoch?: number
  readonly attempt?: number
  readonly signal?: AbortSignal
}
export interface Attempted {
  readonly counters: Required<Progress>
  readonly lines: readonly string[]
  readonly rootCode: string
}

let epochs = 1_000_000

/** Without the runner: one call is one attempt, and errors are thrown. */
export function createWork<Settings>(
  { app, workspace }: { app: TestApp; workspace: ReadyWorkspace },
  work: Work<Settings>,
  settings: Settings,
) {
  const code = generateTrellisCode()
  const lines: string[] = []
  return {
    code,
    lines,
    async run(attempt: Attempt = {}): Promise<Attempted> {
      const counters = { rows_read: 0, rows_written: 0, rows_updated: 0, rows_rejected: 0, bytes: 0 }
      const rootCode = attempt.rootCode ?? generateTrellisCode()
      lines.length = 0
      const givenRunWork: RunWork<Settings> = {
        ctx: app.ctx,
        account: { id: workspace.account.id },
        workspace: { id: workspace.id, code: workspace.integrationCode.replace(/-db$/, '') },
        block: { id: 1, code, name: 'Block', settings },
        run: {
          id: 1,
          code: rootCode,
          rootCode,
          epoch: attempt.epoch ?? (epochs += 1),
          attempt: attempt.attempt ?? 1,
          nominalAt: null,
          request: attempt.request ?? {},
        },
        signal: attempt.signal ?? new AbortController().signal,
        log: (level, message) => void lines.push(`${level} ${message}`),
        count: (progress) => {
          for (const [name, value] of Object.entries(progress)) counters[name as keyof typeof counters] += value ?? 0
        },
        markCommitted: () => undefined,
        setLoadTotals: () => undefined,
        markWorking: async () => undefined,
      }
      await work(givenRunWork)
      return { counters, lines: [...lines], rootCode }
    },
  }
}
