import type { Connection } from '@trellis/contract/database-admin/database-admin.schemas'

export const MASK = '••••••••'
export const PLACEHOLDER = 'YOUR_PASSWORD'

export interface ConnectionString {
  key: string
  label: string
  text: string
}

type Server = Pick<Connection, 'host' | 'port' | 'database' | 'ssl_mode'>
interface Login {
  user: string
  password: string
  /** Schemas the login can use. */
  schemas?: readonly string[]
}

/** Placeholders are not percent-encoded. */
const quoteForUri = (text: string) => (text === MASK || text === PLACEHOLDER ? text : encodeURIComponent(text))
const quoteForLibpq = (text: string) =>
  /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
const quoteForShell = (text: string) => (/^[\w.,:/=@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)
const quoteForCode = (text: string) => JSON.stringify(text)
const quoteForDotnet = (text: string) => (/[;"'= ]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
const quoteForOdbc = (text: string) => (/[;{}=@ ]/.test(text) ? `{${text.replaceAll('}', '}}')}}` : text)
const quoteForYaml = (text: string) => JSON.stringify(text)
const formatUrlHost = (host: string) => (host.includes(':') ? `[${host}]` : host)

const DEFAULT_SCHEMA = 'data'
const DOTNET_SSL = { disable: 'Disable', require: 'Require', 'verify-full': 'VerifyFull' } as const

export function connectionStrings(server: Server, { user, password, schemas = [] }: Login): ConnectionString[] {
  const { host, port, database, ssl_mode } = server
  const hostAndDatabase = `${formatUrlHost(host)}:${port}/${quoteForUri(database)}`
  const uri = `postgresql://${quoteForUri(user)}:${quoteForUri(password)}@${hostAndDatabase}?sslmode=${ssl_mode}`
  const hasSsl = ssl_mode !== 'disable'
  return [
    { key: 'psql', label: 'psql', text: `psql ${quoteForShell(toLibpq(server, user))}` },
    { key: 'pg_dump', label: 'pg_dump and pg_restore', text: pgDump(server, user, schemas) },
    { key: 'uri', label: 'URI (libpq)', text: uri },
    {
      key: 'jdbc',
      label: 'JDBC',
      text: `jdbc:postgresql://${hostAndDatabase}?user=${quoteForUri(user)}&password=${quoteForUri(password)}&sslmode=${ssl_mode}`,
    },
    {
      key: 'psycopg',
      label: 'Python (psycopg)',
      text: [
        'import psycopg',
        '',
        `connection = psycopg.connect(host=${quoteForCode(host)}, port=${port}, dbname=${quoteForCode(database)},`,
        `    user=${quoteForCode(user)}, password=${quoteForCode(password)}, sslmode=${quoteForCode(ssl_mode)})`,
      ].join('\n'),
    },
    {
      key: 'sqlalchemy',
      label: 'Python (SQLAlchemy)',
      text: ['from sqlalchemy import create_engine', '', `engine = create_engine(${quoteForCode(uri)})`].join('\n'),
    },
    {
      key: 'node',
      label: 'Node.js (pg)',
      text: [
        "import pg from 'pg'",
        '',
        'const pool = new pg.Pool({',
        `  host: ${quoteForCode(host)}, port: ${port}, database: ${quoteForCode(database)},`,
        `  user: ${quoteForCode(user)}, password: ${quoteForCode(password)},`,
        `  ssl: ${hasSsl ? `{ rejectUnauthorized: ${ssl_mode === 'verify-full'} }` : 'false'},`,
        '})',
      ].join('\n'),
    },
    {
      key: 'go',
      label: 'Go (pgx)',
      text: `pool, err := pgxpool.New(ctx, ${quoteForCode(uri)})`,
    },
    {
      key: 'dotnet',
      label: '.NET (Npgsql)',
      text: [
        `Host=${quoteForDotnet(host)};Port=${port};Database=${quoteForDotnet(database)}`,
        `Username=${quoteForDotnet(user)};Password=${quoteForDotnet(password)};SSL Mode=${DOTNET_SSL[ssl_mode]}`,
      ].join(';'),
    },
    {
      key: 'r',
      label: 'R (RPostgres)',
      text: [
        'connection <- DBI::dbConnect(RPostgres::Postgres(),',
        `  host = ${quoteForCode(host)}, port = ${port}, dbname = ${quoteForCode(database)},`,
        `  user = ${quoteForCode(user)}, password = ${quoteForCode(password)}, sslmode = ${quoteForCode(ssl_mode)})`,
      ].join('\n'),
    },
    {
      key: 'dbt',
      label: 'dbt profile',
      text: [
        'trellis:',
        '  target: prod',
        '  outputs:',
        '    prod:',
        '      type: postgres',
        `      host: ${quoteForYaml(host)}`,
        `      port: ${port}`,
        `      dbname: ${quoteForYaml(database)}`,
        `      user: ${quoteForYaml(user)}`,
        `      password: ${quoteForYaml(password)}`,
        `      schema: ${quoteForYaml(schemas[0] ?? DEFAULT_SCHEMA)}`,
        `      sslmode: ${ssl_mode}`,
        '      threads: 4',
      ].join('\n'),
    },
    {
      key: 'odbc',
      label: 'Power BI, Tableau, Excel (ODBC)',
      text: [
        `Driver={PostgreSQL Unicode};Server=${quoteForOdbc(host)};Port=${port};Database=${quoteForOdbc(database)}`,
        `Uid=${quoteForOdbc(user)};Pwd=${quoteForOdbc(password)};SSLmode=${ssl_mode};`,
      ].join(';'),
    },
  ]
}

/** Without the password: other users could read it on the command line. libpq prompts for it. */
function toLibpq({ host, port, database, ssl_mode }: Server, user: string): string {
  const parts = { host, port: String(port), dbname: database, user, sslmode: ssl_mode }
  return Object.entries(parts)
    .map(([name, value]) => `${name}=${quoteForLibpq(value)}`)
    .join(' ')
}

/** pg_dump patterns fold case and have wildcards, unless quoted. */
const quoteForPattern = (schema: string) =>
  /^[a-z_][a-z0-9_]*$/.test(schema) ? schema : `"${schema.replaceAll('"', '""')}"`

/** Without `-n`, pg_dump stops at the first schema the login cannot read. */
function pgDump(server: Server, user: string, schemas: readonly string[]): string {
  const named = (schemas.length === 0 ? [DEFAULT_SCHEMA] : schemas).map(
    (schema) => `--schema=${quoteForShell(quoteForPattern(schema))}`,
  )
  return [
    `pg_dump ${named.join(' ')} --no-owner --no-privileges --format=custom --file=trellis.dump \\`,
    `  ${quoteForShell(toLibpq(server, user))}`,
    'pg_restore --no-owner --dbname=YOUR_DATABASE trellis.dump',
  ].join('\n')
}
