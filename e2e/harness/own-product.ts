import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openControlDb } from '@trellis/control-db/database'
import { findFreePort } from '@trellis/embedded/postgres/free-port'
import { readDatabaseUrl, faultsIn, type Product, startProduct } from './product.ts'
import { comeDue } from './schedules.ts'
import { test as base } from './test.ts'

export interface OwnProduct extends Product {
  comeDue(blockCode: string): Promise<void>
  /** Overrides the measured size of every database. */
  fillDatabases(accountCode: string, bytes: number): Promise<void>
  /** Workspaces without databases. */
  giveWorkspaces(accountCode: string, names: readonly string[]): Promise<void>
}

/** The payment sandbox's clock is shared by a product, so tests that move it have a product each. */
export const test = base.extend<{ ownProduct: OwnProduct }>({
  ownProduct: [
    async ({ playwright: _ }, use) => {
      const home = await mkdtemp(join(tmpdir(), 'trellis-e2e-own-'))
      const settings = {
        TRELLIS_RATE_LIMITS: 'off',
        TRELLIS_COMMUNITY_URL: 'https://community.example.com',
        TRELLIS_BOOKING_URL: 'https://booking.example.com',
      }
      const product = await startProduct({ port: await findFreePort(), home, settings })
      await use({
        ...product,
        comeDue: (blockCode) => comeDue(readDatabaseUrl(home), blockCode),
        fillDatabases: (accountCode, bytes) => fillDatabases(readDatabaseUrl(home), { accountCode, bytes }),
        giveWorkspaces: (accountCode, names) => giveWorkspaces(readDatabaseUrl(home), { accountCode, names }),
      })
      await product.stop()
      await rm(home, { recursive: true, force: true })
      base.expect(faultsIn(product.output()), 'the server wrote no errors to its log').toEqual([])
    },
    { scope: 'test', timeout: 240_000 },
  ],
  baseURL: async ({ ownProduct }, use) => use(ownProduct.url),
})

async function fillDatabases(url: string, about: { accountCode: string; bytes: number }): Promise<void> {
  const control = openControlDb({ url, max: 1 })
  await control.db
    .updateTable('workspaces')
    .from('accounts')
    .set({ storage_bytes: about.bytes, storage_measured_at: new Date() })
    .whereRef('accounts.id', '=', 'workspaces.account_id')
    .where('accounts.trellis_code', '=', about.accountCode)
    .execute()
  await control.close()
}

async function giveWorkspaces(url: string, about: { accountCode: string; names: readonly string[] }): Promise<void> {
  const control = openControlDb({ url, max: 1 })
  const { id } = await control.db
    .selectFrom('accounts')
    .select('id')
    .where('trellis_code', '=', about.accountCode)
    .executeTakeFirstOrThrow()
  const rows = about.names.map((name) => ({
    account_id: id,
    trellis_code: `${about.accountCode}-${name.toLowerCase()}`,
    name,
    workspace_address: name.toLowerCase(),
  }))
  await control.db.insertInto('workspaces').values(rows).execute()
  await control.close()
}
