import { listQueryHistory } from '@trellis/contract/sql/sql.endpoints'
import { useEffect, useMemo } from 'react'
import { call } from '../../api/call.ts'
import type { EditorAssist } from '../../ui/editor/assist.ts'
import { findResultStart, listResultItems } from '../complete/results.ts'
import type { Snippet } from '../complete/snippets.ts'
import { type DatabaseAddress, onCatalogue, refreshCatalogue, toDatabaseKey } from './catalogue-loader.ts'
import { askWorker } from './sql-client.ts'

const NO_SNIPPETS: readonly Snippet[] = []

export interface SqlAssist extends EditorAssist {
  /** Asks for what changed, such as after a statement that defined something. */
  refresh(): void
}

interface Address extends Omit<DatabaseAddress, 'integration_trellis_code'> {
  readonly integration_trellis_code: string | null
}

/** Completion, explanations and checks for SQL on one database, worked out beside the page. */
export function useSqlAssist(address: Address, snippets: readonly Snippet[] = NO_SNIPPETS): SqlAssist {
  const { account_trellis_code, workspace_address, integration_trellis_code: code } = address
  const assist = useMemo(
    () =>
      createSqlAssist(
        code === null ? null : { account_trellis_code, workspace_address, integration_trellis_code: code },
        snippets,
      ),
    [account_trellis_code, workspace_address, code, snippets],
  )
  useEffect(() => {
    assist.check()
    const onFocus = () => assist.check()
    globalThis.addEventListener('focus', onFocus)
    return () => globalThis.removeEventListener('focus', onFocus)
  }, [assist])
  return assist
}

async function findRecentResults({ account_trellis_code, workspace_address }: DatabaseAddress) {
  const params = { account_trellis_code, workspace_address }
  const recent = await call(listQueryHistory, { params, query: { of: 'me', status: 'completed' } }).catch(() => null)
  return listResultItems(recent?.items ?? [])
}

function createSqlAssist(address: DatabaseAddress | null, snippets: readonly Snippet[]) {
  const database = address ? toDatabaseKey(address) : ''
  // Without a catalogue the grammar and the keywords are still there; the next focus tries again.
  const refresh = (isForced: boolean) => void (address && refreshCatalogue(address, isForced).catch(() => undefined))
  return {
    complete: async (sql: string, offset: number) => {
      const start = findResultStart(sql, offset)
      if (start === null || !address) return await askWorker('complete', { database, sql, offset, snippets })
      return { start, items: await findRecentResults(address), isCut: false }
    },
    describe: (sql: string, offset: number) => askWorker('describe', { database, sql, offset }),
    findSignature: (sql: string, offset: number) => askWorker('findSignature', { database, sql, offset }),
    diagnose: (sql: string) => askWorker('diagnose', { database, sql }),
    findStatement: (sql: string, offset: number) => askWorker('findStatement', { sql, offset }),
    onChange: (listener: () => void) => onCatalogue((changed) => changed === database && listener()),
    refresh: () => refresh(true),
    check: () => refresh(false),
  }
}
