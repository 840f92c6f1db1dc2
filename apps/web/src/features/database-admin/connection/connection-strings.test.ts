import { expect, test } from 'vitest'
import { connectionStrings, MASK } from './connection-strings.ts'
import { findCidrProblem, isAnyAddress, myAddressRule } from './firewall-draft.ts'

const server = { host: 'db.example.com', port: 5433, database: 'growth', ssl_mode: 'require' as const }
const text = (key: string, login: { user: string; password: string }, at = server) =>
  connectionStrings(at, login).find((connectionString) => connectionString.key === key)?.text

test('hostile passwords stay in their place', () => {
  const login = { user: 'x_bi', password: `p@ss/w:o?rd;'"{}` }
  const uri = new URL(text('uri', login) ?? '')
  expect(decodeURIComponent(uri.password)).toBe(login.password)
  expect(uri.hostname).toBe('db.example.com')
  expect(uri.searchParams.get('sslmode')).toBe('require')
  const jdbc = new URL((text('jdbc', login) ?? '').replace('jdbc:', ''))
  expect(jdbc.searchParams.get('password')).toBe(login.password)
  expect(text('dotnet', login)).toContain(`Password="p@ss/w:o?rd;'""{}";SSL Mode=Require`)
  expect(text('odbc', login)).toContain(`Pwd={p@ss/w:o?rd;'"{}}}`)
  expect(text('psycopg', login)).toContain(JSON.stringify(login.password))
  expect(text('dbt', login)).toContain(`password: ${JSON.stringify(login.password)}`)
})

test('psql never carries the password and quotes for the shell', () => {
  expect(text('psql', { user: 'x_bi', password: 'secret' })).toBe(
    "psql 'host=db.example.com port=5433 dbname=growth user=x_bi sslmode=require'",
  )
  const odd = text('psql', { user: "o'brien", password: 's' }, { ...server, database: 'my db' })
  expect(odd).toBe(
    String.raw`psql 'host=db.example.com port=5433 dbname='\''my db'\'' user='\''o\'\''brien'\'' sslmode=require'`,
  )
})

test('pg_dump names the schemas a login may use, quoted where a pattern would match others', () => {
  const login = { user: 'shop_bi_anna', password: 'secret', schemas: ['data', 'Web "x"*'] }
  expect(connectionStrings(server, login).find((connectionString) => connectionString.key === 'pg_dump')?.text).toBe(
    [
      `pg_dump --schema=data --schema='"Web ""x""*"' --no-owner --no-privileges --format=custom --file=trellis.dump \\`,
      "  'host=db.example.com port=5433 dbname=growth user=shop_bi_anna sslmode=require'",
      'pg_restore --no-owner --dbname=YOUR_DATABASE trellis.dump',
    ].join('\n'),
  )
  expect(text('pg_dump', login)).not.toContain('secret')
  expect(text('dbt', login)).toContain('schema: "data"')
})

test('an IPv6 host stands in brackets, the mask is left readable', () => {
  expect(text('uri', { user: 'u', password: MASK }, { ...server, host: '2001:db8::1' })).toBe(
    `postgresql://u:${MASK}@[2001:db8::1]:5433/growth?sslmode=require`,
  )
  expect(
    connectionStrings(server, { user: 'u', password: 'p' }).map((connectionString) => connectionString.key),
  ).toHaveLength(12)
  expect(text('node', { user: 'u', password: 'p' }, { ...server, ssl_mode: 'disable' as never })).toContain(
    'ssl: false',
  )
})

test('addresses and ranges are told from nonsense', () => {
  for (const right of ['203.0.113.7', '203.0.113.0/24', '0.0.0.0/0', '2001:db8::/32', '::1'])
    expect(findCidrProblem(right), right).toBeUndefined()
  for (const wrong of ['', '203.0.113', '203.0.113.256', '203.0.113.7/33', 'localhost', '1.2.3.4.5', '2001:db8::/129'])
    expect(findCidrProblem(wrong), wrong).toBeDefined()
  expect(isAnyAddress('0.0.0.0/0')).toBe(true)
  expect(isAnyAddress('10.0.0.0/10')).toBe(false)
  expect(myAddressRule('203.0.113.7', new Date('2026-01-02T00:00:00Z'))).toMatchObject({
    cidr: '203.0.113.7/32',
    name: 'My address 2026-01-02',
  })
  expect(myAddressRule('2001:db8::7', new Date()).cidr).toBe('2001:db8::7/128')
})
