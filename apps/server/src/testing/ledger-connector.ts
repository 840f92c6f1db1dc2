import type { Batch, Field, Value } from '@trellis/connector-kit/batch'
import { type Connector, defineConnector } from '@trellis/connector-kit/connector'
import { ConnectorError } from '@trellis/connector-kit/connector-error'

export interface Ledger {
  fields: Field[]
  rows: Value[][]
  key: string[]
  cursor: string | null
  batchRows: number
  failAt: number | null
  isResumable: boolean
  reads: { from: number }[]
}

export const emptyLedger = (): Ledger => ({
  fields: [
    { name: 'id', type: 'integer', isNullable: false },
    { name: 'version', type: 'integer', isNullable: false },
    { name: 'name', type: 'text', isNullable: true },
  ],
  rows: [],
  key: ['id'],
  cursor: null,
  batchRows: 3,
  failAt: null,
  isResumable: true,
  reads: [],
})

const forma = (code: string) => ({ forma_trellis_code: code, title: 'Ledger', sections: [] })

/** Its cursor is the number of rows read. */
export function ledgerConnector(ledger: Ledger): Connector {
  return defineConnector({
    code: 'ledger',
    name: 'Ledger',
    summary: 'Rows for tests.',
    tags: ['source'],
    hosts: {},
    setupForma: forma('ledger_setup'),
    check: async () => [],
    source: {
      queryFormas: [forma('ledger_query')],
      buildQuery: () => ({}),
      async read(context, { state, limit }) {
        const from = Number(state?.['at'] ?? 0)
        if (limit === undefined) ledger.reads.push({ from })
        const { fields, key, cursor } = ledger
        return {
          fields,
          key,
          cursor,
          batches: (async function* (): AsyncGenerator<Batch> {
            for (let at = from; at < ledger.rows.length; at += ledger.batchRows) {
              context.signal.throwIfAborted()
              const to = Math.min(at + ledger.batchRows, ledger.rows.length)
              if (limit === undefined && ledger.failAt !== null && to > ledger.failAt) {
                throw new ConnectorError('transient', 'The ledger was closed in the middle.')
              }
              const isLast = to === ledger.rows.length
              yield {
                kind: 'rows',
                rows: ledger.rows.slice(at, to),
                ...((ledger.isResumable || isLast) && { state: { at: to } }),
              }
            }
          })(),
        }
      },
    },
  })
}
