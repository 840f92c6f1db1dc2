import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openControlDb } from '@trellis/control-db/database'
import { findFreePort } from '@trellis/embedded/postgres/free-port'
import { databaseUrlOf, faultsIn, type Product, startProduct } from './product.ts'
import { comeDue } from './schedules.ts'
import { test as base } from './test.ts'

export interface OwnProduct extends Product {
  /** The schedule of a block comes due now. */
  comeDue(blockCode: string): Promise<void>
  /** More data than anybody can load in a test: the size of every database as it would be measured. */
  fillDatabases(accountCode: string, bytes: number): Promise<void>
}

/** For a journey that moves the sandbox's clock: it is one for all who share a product, so this one shares none. */
export const test = base.extend<object, { ownProduct: OwnProduct }>({
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
        comeDue: (blockCode) => comeDue(databaseUrlOf(home), blockCode),
        fillDatabases: (accountCode, bytes) => fillDatabases(databaseUrlOf(home), { accountCode, bytes }),
      })
      await product.stop()
      await rm(home, { recursive: true, force: true })
      base.expect(faultsIn(product.output()), 'the server wrote no errors to its log').toEqual([])
    },
    { scope: 'worker', timeout: 240_000 },
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
