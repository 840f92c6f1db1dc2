import { readBatchRows } from '@trellis/connector-kit/copy-text'
import { type Connector, defineConnector } from '@trellis/connector-kit/connector'
import { ConnectorError } from '@trellis/connector-kit/connector-error'

/** A destination in memory: batches become visible when a load finishes. */
export interface Shelf {
  fields: string[]
  shelved: Map<string, unknown[][][]>
  visible: unknown[][]
  abandoned: string[]
  failAfter: number | null
  kind: 'configuration' | 'transient'
}

export const emptyShelf = (): Shelf => ({
  fields: [],
  shelved: new Map(),
  visible: [],
  abandoned: [],
  failAfter: null,
  kind: 'transient',
})

export function shelfConnector(shelf: Shelf): Connector {
  return defineConnector({
    code: 'shelf',
    name: 'Shelf',
    summary: 'Keeps rows in memory.',
    tags: ['destination'],
    setupForma: { forma_trellis_code: 'shelf', title: 'Shelf', sections: [] },
    hosts: {},
    check: async () => [],
    destination: {
      queryFormas: [],
      strategies: ['Append', 'Replace', 'Upsert'],
      open: async (_, { fields, loadId }) => {
        shelf.fields = fields.map(({ name, type }) => `${name} ${type}`)
        const batches = shelf.shelved.get(loadId) ?? []
        shelf.shelved.set(loadId, batches)
        return {
          committedBatches: batches.length,
          write: async (batch) => {
            if (shelf.failAfter !== null && batches.length >= shelf.failAfter) {
              throw new ConnectorError(shelf.kind, 'The shelf broke.')
            }
            batches.push(readBatchRows(batch, fields).map((row) => [...row]))
          },
          finish: async () => {
            shelf.visible = batches.flat()
            return { rows: shelf.visible.length }
          },
          abandon: async () => {
            shelf.abandoned.push(loadId)
            shelf.shelved.delete(loadId)
          },
        }
      },
    },
  })
}
