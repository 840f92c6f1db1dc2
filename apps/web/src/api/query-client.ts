import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { listAccounts } from '@trellis/contract/accounts/accounts.endpoints'
import { ApiError } from './api-error.ts'
import type { MutationTexts } from './api-query.ts'
import { refetchOutdatedAnswers } from './outdated-answers.ts'
import { isSessionOver } from './refresh.ts'

export interface QueryClientPorts {
  toast: (tone: 'success' | 'error', text: string) => void
  /** A call was refused and the token refresh failed too. */
  onSignedOut: () => void
}

/** After these errors the list of accounts is refetched: access, a role or the plan may have changed. */
const OUTDATING_CODES: ReadonlySet<string> = new Set(['not_found', 'forbidden', 'plan_expired'])
const REREAD_PAUSE_MS = 5000

const STALE_AFTER = 3 * 60_000

export function createQueryClient({ toast, onSignedOut }: QueryClientPorts): QueryClient {
  let rereadAt = 0
  const judge = (error: Error) => {
    if (isSessionOver(error)) onSignedOut()
    const isRefused = error instanceof ApiError && OUTDATING_CODES.has(error.code)
    if (!isRefused || Date.now() - rereadAt < REREAD_PAUSE_MS) return
    rereadAt = Date.now()
    void client.invalidateQueries({ queryKey: [listAccounts.id] })
  }
  const client = new QueryClient({
    defaultOptions: {
      queries: { staleTime: STALE_AFTER, refetchOnWindowFocus: false, retry: isWorthRetrying },
      mutations: { retry: false },
    },
    queryCache: new QueryCache({ onError: judge }),
    mutationCache: new MutationCache({
      onSuccess: (...[, , , mutation]) => {
        const { successText } = getMutationTexts(mutation.meta)
        if (successText) toast('success', successText)
      },
      onError: (...[error, , , mutation]) => {
        const { errorText } = getMutationTexts(mutation.meta)
        const text = typeof errorText === 'function' ? errorText(error) : errorText
        if (text) toast('error', text)
        judge(error)
      },
    }),
  })
  refetchOutdatedAnswers(client)
  return client
}

/** About 15 seconds with backoff, enough for a restart of the database. */
const TRIES_WHILE_UNAVAILABLE = 4

/** A 4xx is final; only a lost or broken response is worth a retry. */
export function isWorthRetrying(failures: number, error: Error): boolean {
  if (!(error instanceof ApiError)) return false
  if (error.code === 'unavailable') return failures < TRIES_WHILE_UNAVAILABLE
  return failures < 1 && (error.status === 0 || error.status >= 500)
}

function getMutationTexts(meta: Record<string, unknown> | undefined): MutationTexts {
  return (meta?.['texts'] as MutationTexts | undefined) ?? {}
}
