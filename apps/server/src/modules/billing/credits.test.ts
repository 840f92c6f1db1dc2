import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeAccount } from '../../testing/payments.ts'
import { makePerson } from '../../testing/people.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { getPayer, grantPurchased, readCredits, spendCredits } from './credits.service.ts'
import { handleGrantMonths } from './grant-months.handler.ts'

let app: TestApp
let people = 0

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => await app.close())

const at = (text: string) => ({ ...app.ctx, clock: { now: () => new Date(text) } })
const NOVEMBER = '2026-11-10T08:00:00Z'

async function account(
  code: string,
  about: { members: number; type?: 'basic' | 'team'; purchased?: number; free?: number },
) {
  const id = await makeAccount(app, { code, type: about.type ?? 'basic' })
  for (let count = 0; count < about.members; count += 1) await addMember(id)
  const { free, purchased } = about
  if (purchased)
    await grantPurchased(at(NOVEMBER), id, { checkoutId: `cs_${code}`, credits: purchased, at: new Date(NOVEMBER) })
  if (free) {
    await sql`insert into credit_grants (account_id, kind, amount, reason, reference, valid_from) values (${id}, 'free', ${free}, 'welcome', ${code}, '2026-01-01')`.execute(
      app.database.db,
    )
  }
  return id
}

async function addMember(accountId: number): Promise<void> {
  people += 1
  const { id } = await makePerson(app, `person${people}@example.com`)
  const { rows } = await sql<{
    count: number
  }>`select count(*)::int as count from account_members where account_id = ${accountId}`.execute(app.database.db)
  const role = rows[0]?.count === 0 ? ('owner' as const) : ('account_view' as const)
  await app.database.db.insertInto('account_members').values({ account_id: accountId, profile_id: id, role }).execute()
}

const spend = (accountId: number, amount: number, { reference, now = NOVEMBER }: { reference: string; now?: string }) =>
  spendCredits(at(now), { accountId, workspaceId: null, profileId: null, amount, reason: 'prompt', reference })
const credits = async (id: number, now = NOVEMBER) => await readCredits(at(now), await getPayer(app.ctx, id))

describe('what is given', () => {
  test('so many a member and month, more when a member joins, never less', async () => {
    const id = await account('seats', { members: 2 })
    expect((await credits(id)).month).toEqual({ kind: 'month', available: 100, remaining: 100 })
    await addMember(id)
    expect((await credits(id)).month.available).toBe(150)
    await app.database.db
      .deleteFrom('account_members')
      .where('account_id', '=', id)
      .where('role', '<>', 'owner')
      .execute()
    expect((await credits(id)).month.available).toBe(150)
    await app.database.db.updateTable('accounts').set({ account_type: 'team' }).where('id', '=', id).execute()
    expect((await credits(id)).month.available).toBe(500)
  })

  test('the month ends at midnight UTC; purchased credits roll over', async () => {
    const id = await account('rollover', { members: 1, purchased: 200 })
    await spend(id, 60, { reference: 'a', now: '2026-11-30T23:59:59Z' })
    expect(await credits(id, '2026-11-30T23:59:59.999Z')).toMatchObject({
      month: { available: 50, remaining: 0 },
      purchased: { available: 200, remaining: 190 },
    })
    expect(await credits(id, '2026-12-01T00:00:00Z')).toMatchObject({
      month: { available: 50, remaining: 50 },
      purchased: { available: 200, remaining: 190 },
    })
  })

  test('the job gives once, however often it runs; an account whose plan is over gets nothing', async () => {
    const id = await account('job', { members: 1 })
    const over = await account('over', { members: 1 })
    await app.database.db
      .updateTable('accounts')
      .set({ stripe_plan_end_date: new Date('2026-11-01') })
      .where('id', '=', over)
      .execute()
    await handleGrantMonths(at(NOVEMBER))
    await handleGrantMonths(at(NOVEMBER))
    expect((await credits(id)).month.available).toBe(50)
    expect((await credits(over)).month.available).toBe(0)
    await expect(spend(over, 1, { reference: 'x' })).rejects.toMatchObject({ code: 'plan_expired' })
  })

  test('one checkout gives once', async () => {
    const id = await account('once', { members: 1 })
    const bought = { checkoutId: 'cs_same', credits: 300, at: new Date(NOVEMBER) }
    await Promise.all(Array.from({ length: 8 }, () => grantPurchased(at(NOVEMBER), id, bought)))
    expect((await credits(id)).purchased.available).toBe(300)
  })
})

describe('what is spent', () => {
  test('free first, then the month, then purchased; all or nothing', async () => {
    const id = await account('order', { members: 1, free: 10, purchased: 100 })
    await spend(id, 15, { reference: 'a' })
    expect(await credits(id)).toMatchObject({
      free: { remaining: 0 },
      month: { remaining: 45 },
      purchased: { remaining: 100 },
    })
    await spend(id, 50, { reference: 'b' })
    expect(await credits(id)).toMatchObject({ month: { remaining: 0 }, purchased: { remaining: 95 } })
    await expect(spend(id, 96, { reference: 'c' })).rejects.toMatchObject({ code: 'credits_used_up', status: 402 })
    expect((await credits(id)).purchased.remaining).toBe(95)
  })

  test('the same reference costs once, also when it comes twice at the same time', async () => {
    const id = await account('again', { members: 1 })
    const answers = await Promise.all(Array.from({ length: 10 }, () => spend(id, 7, { reference: 'same' })))
    expect(answers).toEqual(Array.from({ length: 10 }, () => ({ spent: 7 })))
    expect((await credits(id)).month.remaining).toBe(43)
  })

  test('twenty at once never overspend', async () => {
    const id = await account('rush', { members: 1, free: 5, purchased: 100 })
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, (_, one) => spend(id, 10, { reference: `rush-${one}` })),
    )
    expect(answers.filter((item) => item.status === 'fulfilled')).toHaveLength(15)
    const left = await credits(id)
    expect(left.free.remaining + left.month.remaining + left.purchased.remaining).toBe(5)
    const { rows } = await sql<{
      sum: number
    }>`select sum(amount)::int as sum from credit_spends where account_id = ${id}`.execute(app.database.db)
    expect(rows[0]?.sum).toBe(150)
  })

  test('twenty at once on purchased credits alone: ten get theirs, ten are told why not', async () => {
    const id = await account('rush-bought', { members: 1, purchased: 60 })
    await grantPurchased(at(NOVEMBER), id, { checkoutId: 'cs_second', credits: 40, at: new Date(NOVEMBER) })
    await spend(id, 50, { reference: 'the month' })
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, (_, one) => spend(id, 10, { reference: `late-${one}` })),
    )
    expect(answers.filter((item) => item.status === 'fulfilled')).toHaveLength(10)
    for (const item of answers) {
      if (item.status === 'rejected') expect(item.reason).toMatchObject({ code: 'credits_used_up' })
    }
    expect((await credits(id)).purchased).toMatchObject({ available: 100, remaining: 0 })
  })

  test('any mix of amounts at once: what was spent and what is left add up to what was given', async () => {
    let run = 0
    const amounts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(amounts, fc.integer({ min: 0, max: 60 }), async (wanted, purchased) => {
        run += 1
        const id = await account(`mix${run}`, { members: 1, purchased })
        const answers = await Promise.allSettled(
          wanted.map((amount, one) => spend(id, amount, { reference: `m${one}` })),
        )
        const spent = wanted.reduce((sum, amount, one) => sum + (answers[one]?.status === 'fulfilled' ? amount : 0), 0)
        const left = await credits(id)
        expect(spent + left.month.remaining + left.purchased.remaining).toBe(50 + purchased)
        expect(left.month.remaining).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: 20 },
    )
  })

  test('only whole numbers from one', async () => {
    const id = await account('whole', { members: 1 })
    for (const amount of [0, -1, 0.5, Number.NaN])
      await expect(spend(id, amount, { reference: 'x' })).rejects.toThrow(/whole numbers/)
  })
})
