import { defineConnector } from '@trellis/connector-kit/connector'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import { connectionAddress } from '../shared/connection-forma.ts'
import { describeServer, listTables } from '../shared/postgres/catalogue.ts'
import { createPostgresChangeLog } from '../shared/postgres/changes/change-log.ts'
import { type Link, openDatabase, openLink } from '../shared/postgres/link.ts'
import { createPostgresSource } from '../shared/postgres/source.ts'
import { destination } from './destination.ts'
import { getAddress, allowsWriting, setupForma } from './setup.ts'

async function withLink<T>(context: ConnectorContext, work: (link: Link) => Promise<T>): Promise<T> {
  const link = await openLink(context, getAddress(context))
  try {
    return await work(link)
  } finally {
    await link.close()
  }
}

export const postgresql = defineConnector({
  code: 'postgresql',
  name: 'PostgreSQL',
  summary: 'Reads tables and queries of a PostgreSQL database, and writes tables into it.',
  tags: ['source', 'destination', 'database'],
  setupForma,
  hosts: {},
  secretsGoTo: connectionAddress,
  check: (context) => withLink(context, describeServer),
  tables: (context) => withLink(context, listTables),
  openDatabase: async (context) => ({
    ...(await openDatabase(context, getAddress(context))),
    allowsWriting: allowsWriting(context),
  }),
  source: createPostgresSource('postgresql', getAddress, createPostgresChangeLog(getAddress)),
  destination,
})
