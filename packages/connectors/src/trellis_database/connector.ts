import { defineConnector } from '@trellis/connector-kit/connector'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import { describeServer, listTables } from '../shared/postgres/catalogue.ts'
import type { PostgresAddress } from '../shared/postgres/address.ts'
import { type Link, openLink } from '../shared/postgres/link.ts'
import { createPostgresSource } from '../shared/postgres/source.ts'

async function getAddress({ ownDatabase }: ConnectorContext): Promise<PostgresAddress> {
  if (!ownDatabase) throw new ConnectorError('system', 'The workspace’s database was not given to its own platform.')
  return await ownDatabase()
}

async function withLink<T>(context: ConnectorContext, work: (link: Link) => Promise<T>): Promise<T> {
  const link = await openLink(context, await getAddress(context))
  try {
    return await work(link)
  } finally {
    await link.close()
  }
}

export const trellisDatabase = defineConnector({
  code: 'trellis_database',
  name: 'Trellis database',
  summary: 'The tables of this workspace.',
  tags: ['source', 'database'],
  setupForma: { forma_trellis_code: 'trellis_database_setup', title: 'Trellis database', sections: [] },
  hosts: {},
  usesOwnDatabase: true,
  check: (context) => withLink(context, describeServer),
  tables: (context) => withLink(context, listTables),
  source: createPostgresSource('trellis_database', getAddress),
})
