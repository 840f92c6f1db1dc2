import { randomBytes } from 'node:crypto'
import type { FormaValues } from '@trellis/contract/formas/forma'
import {
  type TestContext,
  type TestContextOptions,
  createTestContext,
} from '@trellis/connector-kit/testing/test-context'
import pg from 'pg'
import { afterAll } from 'vitest'
import { plainConnect } from './plain-connect.ts'

export interface TestDatabase {
  readonly admin: pg.Client
  readonly address: { host: string; port: number; database: string; user: string; password: string }
  values(changes?: Record<string, unknown>): FormaValues
  context(options?: TestContextOptions): TestContext
  session(): Promise<pg.Client>
}

export async function createTestDatabase(): Promise<TestDatabase> {
  const url = process.env['TRELLIS_TEST_CLUSTER_URL']
  if (!url) throw new Error('TRELLIS_TEST_CLUSTER_URL is not set: these tests need the cluster of the test run.')
  const { hostname: host, port, username: user, password } = new URL(url)
  const database = `connector_${randomBytes(6).toString('hex')}`
  const root = new pg.Client({ connectionString: url })
  await root.connect()
  await root.query(`create database ${database}`)
  const address = { host, port: Number(port), database, user, password: decodeURIComponent(password) }
  const sessions: pg.Client[] = []
  const session = async () => {
    const client = new pg.Client(address)
    client.on('error', () => undefined)
    await client.connect()
    sessions.push(client)
    return client
  }
  const admin = await session()
  afterAll(async () => {
    await Promise.all(sessions.map((client) => client.end().catch(() => undefined)))
    await root.query(`drop database ${database} with (force)`)
    await root.end()
  })
  const values = (changes = {}): FormaValues => ({ connection: { ...address, tls: 'disable', ...changes } })
  const context = (options: TestContextOptions = {}) =>
    createTestContext({ values: values(), connect: plainConnect, ...options })
  return { admin, address, values, context, session }
}
