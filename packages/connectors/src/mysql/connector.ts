import { type TableListing, defineConnector } from '@trellis/connector-kit/connector'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import { connectionAddress, buildConnectionForma, readConnection } from '../shared/connection-forma.ts'
import { destination } from './destination.ts'
import { type Link, openLink } from './link.ts'
import { source } from './source.ts'

const OWN_SCHEMAS = `('information_schema', 'performance_schema', 'mysql', 'sys')`
const MAX_TABLES = 5000

export const mysql = defineConnector({
  code: 'mysql',
  name: 'MySQL / MariaDB',
  summary: 'Reads tables and queries of a MySQL or MariaDB database, and writes tables into it.',
  tags: ['source', 'destination', 'database'],
  setupForma: buildConnectionForma({ code: 'mysql', title: 'MySQL / MariaDB', port: 3306 }),
  hosts: {},
  secretsGoTo: connectionAddress,
  check: (context) => withLink(context, (link) => describeServer(link, readConnection(context.values))),
  tables: (context) => withLink(context, listTables),
  source,
  destination,
})

async function withLink<T>(context: ConnectorContext, work: (link: Link) => Promise<T>): Promise<T> {
  const link = await openLink(context, readConnection(context.values))
  try {
    return await work(link)
  } finally {
    await link.close()
  }
}

async function describeServer(
  link: Link,
  { user, database }: { user: string; database: string },
): Promise<{ label: string; value: string }[]> {
  const { rows } = await link.query(
    'select version(), database(), (select count(*) from information_schema.tables where table_schema = database())',
  )
  const [version, name, tables] = rows[0] ?? []
  const { rows: grants } = await link.query('show grants')
  const canDo = grants.some(([text]) => /GRANT (?!USAGE ON \*\.\*)/.test(String(text)))
  if (Number(tables) === 0 && !canDo) {
    throw new ConnectorError('configuration', `The user ${user} can log in, but can read no table of ${database}.`, {
      advice: `Have it granted: GRANT SELECT ON \`${database}\`.* TO '${user}'@'%';`,
      field: 'connection.user',
    })
  }
  const isMaria = /mariadb/i.test(String(version))
  return [
    { label: 'Version', value: `${isMaria ? 'MariaDB' : 'MySQL'} ${String(version).split('-')[0]}` },
    { label: 'Database', value: String(name) },
    { label: 'Tables that can be read', value: String(tables) },
  ]
}

async function listTables(link: Link): Promise<TableListing> {
  const { rows } = await link.query(`
    select table_schema, table_name, table_type, table_rows from information_schema.tables
    where table_schema not in ${OWN_SCHEMAS} order by table_schema, table_name`)
  const { rows: schemas } = await link.query(`
    select schema_name from information_schema.schemata where schema_name not in ${OWN_SCHEMAS} order by schema_name`)
  return {
    schemas: schemas.map(([schema]) => {
      const ownRows = rows.filter(([name]) => name === schema)
      const tables = ownRows.slice(0, MAX_TABLES).map(([, name, type, estimate]) => ({
        name: String(name),
        kind: String(type).includes('VIEW') ? ('view' as const) : ('table' as const),
        rows: estimate === null || estimate === undefined ? null : Number(estimate),
      }))
      return { name: String(schema), tables, is_cut: ownRows.length > MAX_TABLES }
    }),
  }
}
