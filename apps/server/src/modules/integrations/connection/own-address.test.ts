import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toOwnDatabase } from './own-address.ts'

const folder = mkdtempSync(join(tmpdir(), 'trellis-address-'))
const file = (name: string) => join(folder, name)
beforeAll(() => {
  for (const name of ['ca', 'cert', 'key']) writeFileSync(file(name), `the ${name}`)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const login = { database: 'w_1', user: 'w_1_ro', password: 'secret' }
const read = (address: string) => toOwnDatabase({ connectionString: address }, login)

test.each([
  ['postgres://a:b@db.example.com/x', { host: 'db.example.com', port: 5432, tls: 'disable' }],
  ['postgres://a:b@db.example.com:6000/x?sslmode=disable', { port: 6000, tls: 'disable' }],
  ['postgres://a:b@db.example.com/x?sslmode=verify-full', { tls: 'verify-full' }],
  ['postgres://a:b@db.example.com/x?ssl=true', { tls: 'verify-full' }],
  ['postgres://a:b@db.example.com/x?sslmode=no-verify', { tls: 'require' }],
  ['postgres://a:b@db.example.com/x?uselibpqcompat=true&sslmode=require', { tls: 'require' }],
  [
    `postgres://a:b@db.example.com/x?sslmode=verify-full&sslrootcert=${file('ca')}`,
    { tls: 'verify-full', certificate: 'the ca' },
  ],
  [
    `postgres://a:b@db.example.com/x?sslmode=verify-full&sslcert=${file('cert')}&sslkey=${file('key')}`,
    { identity: { certificate: 'the cert', key: 'the key' } },
  ],
  ['postgres://a:b@localhost/x?host=/run/postgresql', { host: '/run/postgresql', tls: 'disable' }],
])('%s is reached as the driver reaches it', (address, expected) => {
  expect(read(address)).toMatchObject({ ...login, ...expected })
})
