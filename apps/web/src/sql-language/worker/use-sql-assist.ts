import { listQueryHistory } from '@trellis/contract/sql/sql.endpoints'
import { useEffect, useMemo } from 'react'
import { call } from '../../api/call.ts'
import type { EditorAssist, EditorText } from '../../ui/editor/assist.ts'
import { findResultStart, listResultItems } from '../complete/results.ts'
import type { Snippet } from '../complete/snippets.ts'
import { sliceAround, KEY_WINDOW, STATEMENT_WINDOW } from '../text/statements.ts'
import { type DatabaseAddress, subscribeToCatalogue, refreshCatalogue, toDatabaseKey } from './catalogue-loader.ts'
import { callWorker } from './sql-client.ts'

const NO_SNIPPETS: readonly Snippet[] = []

export interface SqlAssist extends EditorAssist {
  refresh(): void
}

interface Address extends Omit<DatabaseAddress, 'integration_trellis_code'> {
  readonly integration_trellis_code: string | null
}

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

function cut(text: EditorText, offset: number, window = KEY_WINDOW) {
  const { start, text: sql } = sliceAround(text, offset, window)
  return { start, sql, at: offset - start }
}

const moveSpan = <Found extends { readonly start: number; readonly end: number }>(found: Found | null, by: number) =>
  found && { ...found, start: found.start + by, end: found.end + by }

function createSqlAssist(address: DatabaseAddress | null, snippets: readonly Snippet[]) {
  const database = address ? toDatabaseKey(address) : ''
  // Without a catalogue, keywords and the parser still work; the next focus retries.
  const refresh = (isForced: boolean) => void (address && refreshCatalogue(address, isForced).catch(() => undefined))
  return {
    complete: async (text: EditorText, offset: number) => {
      const { start, sql, at } = cut(text, offset)
      const resultStart = findResultStart(sql, at)
      if (resultStart !== null && address) {
        return { start: start + resultStart, items: await findRecentResults(address), isCut: false }
      }
      const completionAnswer = await callWorker('complete', { database, sql, offset: at, snippets })
      return { ...completionAnswer, start: start + completionAnswer.start }
    },
    describe: async (text: EditorText, offset: number) => {
      const { start, sql, at } = cut(text, offset)
      return moveSpan(await callWorker('describe', { database, sql, offset: at }), start)
    },
    findSignature: (text: EditorText, offset: number) => {
      const { sql, at } = cut(text, offset)
      return callWorker('findSignature', { database, sql, offset: at })
    },
    diagnose: (sql: string) => callWorker('diagnose', { database, sql }),
    findStatement: async (text: EditorText, offset: number) => {
      const { start, sql, at } = cut(text, offset, STATEMENT_WINDOW)
      return moveSpan(await callWorker('findStatement', { sql, offset: at }), start)
    },
    onChange: (listener: () => void) => subscribeToCatalogue((changed) => changed === database && listener()),
    refresh: () => refresh(true),
    check: () => refresh(false),
  }
}
