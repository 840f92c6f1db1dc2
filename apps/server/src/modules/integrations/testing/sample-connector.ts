import { type Connector, joinElements, defineConnector } from '@trellis/connector-kit/connector'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import type { FormaElement } from '@trellis/contract/formas/forma'

const text = (reference: string, label: string, order: number): FormaElement => ({
  type: 'text',
  reference,
  order,
  label,
  data_type: 'str',
  properties: {},
})
const secret = (reference: string, label: string, order: number): FormaElement => ({
  ...text(reference, label, order),
  type: 'secret',
  properties: {},
})

const queryForma = {
  forma_trellis_code: 'sample_query',
  title: 'What to read',
  sections: [
    { reference: 'query', order: 1, title: 'Query', is_required: true, elements: [text('table', 'Table', 1)] },
  ],
}

export function sampleConnector(
  code: string,
  behave: (context: ConnectorContext) => Promise<{ label: string; value: string }[]>,
  more: Partial<Connector> = {},
): Connector {
  return defineConnector({
    code,
    name: 'Sample system',
    summary: 'A system for tests.',
    tags: ['source', 'database'],
    setupForma: {
      forma_trellis_code: `${code}_setup`,
      title: 'Connect',
      sections: [
        {
          reference: 'server',
          order: 1,
          title: 'Server',
          is_required: true,
          elements: [text('host', 'Host', 1), secret('password', 'Password', 2)],
        },
      ],
    },
    hosts: {},
    secretsGoTo: joinElements('server.host'),
    check: behave,
    options: async (context, name, search) => {
      await behave(context)
      return [{ value: `${name}:${search}`, label: name }]
    },
    tables: async (context) => {
      await behave(context)
      return { schemas: [{ name: 'public', tables: [{ name: 'orders', kind: 'table', rows: 3 }], is_cut: false }] }
    },
    judgeQuery: (query) => ({ did_succeed: query.startsWith('SELECT'), message: query ? 'judged here' : 'empty' }),
    source: {
      queryFormas: [queryForma],
      buildQuery: (subtask) => ({ query: { table: subtask } }),
      read: async (context, request) => {
        await behave(context)
        if (request.query['query']?.['table'] === 'none') {
          throw new ConnectorError('configuration', 'There is no table "none".', { field: 'query.table' })
        }
        return {
          fields: [
            { name: 'Order id', type: 'integer', isNullable: false },
            { name: 'day', type: 'date', isNullable: false },
            { name: 'note', type: 'text', isNullable: true },
          ],
          key: ['Order id'],
          cursor: 'day',
          batches: (async function* () {
            yield {
              kind: 'rows' as const,
              rows: [
                [1, '2026-01-02', 'a'],
                [2, '2026-01-01', null],
              ],
            }
            yield { kind: 'copy' as const, bytes: Buffer.from('3\t2026-01-03\tx\\ty\n'), rowCount: 1 }
          })(),
        }
      },
    },
    ...more,
  })
}
