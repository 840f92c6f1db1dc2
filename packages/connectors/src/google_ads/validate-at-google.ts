import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import { addDays, toDay } from '../shared/day-windows.ts'
import { listAccountsToRead, validate } from './api.ts'
import { checkGaql, validateQuery } from './gaql/validate-query.ts'
import { printGaql } from './gaql/print.ts'
import { getDayMode, limitToWindow } from './read.ts'

/** The local catalogue is incomplete, so Google Ads validates the query too, without running it. */
export async function validateAtGoogle(
  context: ConnectorContext,
  text: string,
): Promise<{ did_succeed: boolean; message: string }> {
  const verdict = validateQuery(text)
  const { query } = checkGaql(text)
  const [account] = verdict.did_succeed ? await listAccountsToRead(context, []) : []
  if (!query || !account) return verdict
  const yesterday = addDays(toDay(context.now()), -1)
  const window = getDayMode(query) === 'own' ? null : { from: yesterday, to: yesterday }
  try {
    await validate(context, account, printGaql(limitToWindow(query, window)))
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.field !== 'monacoGaql.editor') throw error
    return { did_succeed: false, message: error.message }
  }
  return { did_succeed: true, message: `${verdict.message} Google Ads accepts it.` }
}
