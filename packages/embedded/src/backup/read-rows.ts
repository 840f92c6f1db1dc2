import { createHash } from 'node:crypto'
import pg from 'pg'
import { receiveCopy } from './receive-copy.ts'

export interface TableRows {
  readonly database: string
  readonly table: string
  readonly rows: number
  readonly sha256: string
}

/** COPY calls none of a table owner's functions; a cast would run them as superuser. */
export async function readRows(url: string): Promise<TableRows[]> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'trellis-verify',
    options: '-c search_path=pg_catalog -c synchronize_seqscans=off -c statement_timeout=0',
  })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ database: string; schema: string; name: string }>(
      `select current_database() as database, n.nspname as schema, c.relname as name
         from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind = 'r' and c.relpersistence = 'p' and n.nspname not in ('pg_catalog', 'information_schema')
        order by 2, 3`,
    )
    const read: TableRows[] = []
    for (const { database, schema, name } of tables) {
      const hash = createHash('sha256')
      let rows = 0
      await receiveCopy(
        client,
        `copy ${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)} to stdout`,
        (chunk) => {
          rows += 1
          hash.update(chunk)
          return undefined
        },
      )
      read.push({ database, table: `${schema}.${name}`, rows, sha256: hash.digest('hex') })
    }
    return read
  } finally {
    await client.end()
  }
}
