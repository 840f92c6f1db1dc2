import { createAccount, createTemporaryAccount } from '@trellis/contract/accounts/accounts.endpoints'
import { listAudit } from '@trellis/contract/audit/audit.endpoints'
import * as calls from '@trellis/contract/billing/billing.endpoints'
import { sql } from 'kysely'
import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPage, submitPage } from '../../testing/payments.ts'
import { makePerson, signInAs } from '../../testing/people.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import type { TestClient } from '../../testing/test-client.ts'

let app: TestApp
let owner: TestClient

beforeAll(async () => {
  app = await startTestApp({ hasWorker: true })
  await makePerson(app, 'owner@example.com')
  owner = await signInAs(app, 'owner@example.com')
})
afterAll(async () => await app.close())

async function until<T>(read: () => Promise<T>, isThere: (value: T) => boolean): Promise<T> {
  for (let tries = 0; tries < 200; tries += 1) {
    const value = await read()
    if (isThere(value)) return value
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`it never came: ${JSON.stringify(await read())}`)
}

const TRAIL = {
  accountCreated: 1,
  planChosen: 1,
  creditsBought: 1,
  planChanged: 1,
  planChangeScheduled: 1,
  planCancelled: 1,
  planResumed: 1,
  planEnded: 1,
}

const accountCount = async () => (await app.database.db.selectFrom('accounts').select('id').execute()).length

describe('from nothing to a paid account and back', () => {
  let temporaryId: number
  let params: { account_trellis_code: string }
  const plan = async () => (await owner.call(calls.getPlanDetails, { params })).data
  const link = async (call: typeof calls.getPortalLink, query: Record<string, string> = {}) => {
    const answer = await owner.call(call, { params, query })
    expect(answer.status, answer.text).toBe(200)
    return answer.data.url
  }

  test('a typed activation address makes nothing', async () => {
    const temporary = await owner.call(createTemporaryAccount, { body: { name: 'Bakery' } })
    temporaryId = temporary.data.id
    const before = await accountCount()
    const body = { temporary_account_id: temporaryId, account_type: 'team' }
    expect(await owner.call(createAccount, { body })).toMatchObject({
      status: 402,
      errors: [{ code: 'plan_not_paid' }],
    })
    const plans = await owner.call(calls.getNewAccountPlans, { params: { temporary_account_id: temporaryId } })
    expect(plans.data.plans.basic).toMatch(/^http:\/\/localhost:4600\/sandbox-pay\/c\/cs_test_/)
    // A declined payment is not paid.
    expect((await submitPage(app, plans.data.plans.team ?? '', { card: 'declined' })).status).toBe(402)
    expect((await owner.call(createAccount, { body })).status).toBe(402)
    expect(await accountCount()).toBe(before)
  })

  test('plans are shown to nobody else, and the same checkouts again to the same person', async () => {
    await makePerson(app, 'stranger@example.com')
    const stranger = await signInAs(app, 'stranger@example.com')
    const where = { params: { temporary_account_id: temporaryId } }
    expect((await stranger.call(calls.getNewAccountPlans, where)).status).toBe(404)
    const [response, two] = [
      await owner.call(calls.getNewAccountPlans, where),
      await owner.call(calls.getNewAccountPlans, where),
    ]
    expect(two.data).toEqual(response.data)
    expect(response.data.plans.enterprise).toMatch(/^mailto:/)
  })

  test('paid for Basic it is made, with the paid plan whatever the address says', async () => {
    const plans = await owner.call(calls.getNewAccountPlans, { params: { temporary_account_id: temporaryId } })
    const paid = await submitPage(app, plans.data.plans.basic ?? '', { card: 'success' })
    expect(paid.location).toBe(`http://localhost:4600/plan-activation/${temporaryId}?status=success&account_type=basic`)
    const body = { temporary_account_id: temporaryId, account_type: 'team' }
    const createdResponse = await owner.call(createAccount, { body })
    expect(createdResponse).toMatchObject({
      status: 200,
      data: { name: 'Bakery', account_type: 'basic', role: 'owner' },
    })
    const again = await owner.call(createAccount, { body })
    expect(again.data.trellis_code).toBe(createdResponse.data.trellis_code)
    params = { account_trellis_code: createdResponse.data.trellis_code }
    const details = await until(plan, (value) => value.stripe_plan_renewal_date !== null)
    expect(details).toMatchObject({
      account_type: 'basic',
      is_plan_managed: true,
      status: 'active',
      stripe_plan_end_date: null,
      next_plan: null,
    })
    expect(details.days_left).toBeGreaterThanOrEqual(28)
    // The other plan's checkout in a second tab has expired.
    await until(
      async () => (await openPage(app, plans.data.plans.team ?? '')).status,
      (status) => status === 410,
    )
  })

  test('payment details, invoices and usage', async () => {
    const details = await owner.call(calls.getPaymentDetails, { params })
    expect(details.data).toMatchObject({
      is_plan_managed: true,
      card: { brand: 'visa', last4: '4242' },
      billing_email: 'owner@example.com',
    })
    const invoices = await owner.call(calls.listInvoices, { params })
    expect(invoices.data).toMatchObject([{ status: 'paid', invoice_amount: 950 }])
    expect((await openPage(app, invoices.data[0]!.invoice_url!)).html).toContain('$950.00')
    const usage = await owner.call(calls.getUsage, { params })
    expect(usage.data).toMatchObject({
      users: 1,
      users_limit: 5,
      workspaces: 0,
      workspaces_limit: 1,
      trellis_current_month_ai_tokens_available: 50,
      trellis_purchased_ai_tokens_available: 0,
      trellis_free_ai_tokens_available: 0,
      trellis_managed_database_storage_available: 53_687_091_200,
    })
    const limits = await owner.call(calls.listAccountLimits)
    expect(limits.data).toContainEqual({ ...params, workspaces: 0, workspaces_limit: 1 })
  })

  test('300 credits: bought, granted once, on an invoice', async () => {
    const page = `http://localhost:4600/${params.account_trellis_code}/settings?tab=billing`
    const answer = await owner.call(calls.getCreditsLink, { params, query: { quantity: 3, redirect_url: page } })
    expect((await submitPage(app, answer.data, { card: 'success' })).location).toBe(page)
    const read = async () => (await owner.call(calls.getUsage, { params })).data.trellis_purchased_ai_tokens_remaining
    expect(await until(read, (value) => value > 0)).toBe(300)
    expect((await owner.call(calls.listInvoices, { params })).data.map((item) => item.invoice_amount)).toEqual([
      7.5, 950,
    ])
    for (const quantity of ['0', '-1', '1.5', '1000', 'x']) {
      expect(
        (await owner.call(calls.getCreditsLink, { params, query: { quantity, redirect_url: page } })).status,
        quantity,
      ).toBe(400)
    }
    for (const redirect_url of [
      'https://evil.example/',
      '//evil.example/x',
      'javascript:alert(1)',
      'http://localhost:4600@evil.example/',
    ]) {
      expect(
        (await owner.call(calls.getCreditsLink, { params, query: { quantity: 1, redirect_url } })).status,
        redirect_url,
      ).toBe(400)
    }
  })

  test('up to Team at once; down is refused while use is over the limits, then waits for the end of the period', async () => {
    const up = await link(calls.getPlanChangeLink, { plan: 'team' })
    const page = (await openPage(app, up)).html
    expect(page).toContain('Change to Trellis Team')
    const price = /name="price" value="(\w+)"/.exec(page)?.[1] ?? ''
    expect((await submitPage(app, up, { do: 'change', price })).status).toBe(303)
    await until(plan, (value) => value.account_type === 'team')

    const account = await app.database.db
      .selectFrom('accounts')
      .select('id')
      .where('trellis_code', '=', params.account_trellis_code)
      .executeTakeFirstOrThrow()
    await sql`insert into workspaces (account_id, trellis_code, name, workspace_address, storage_bytes)
      values (${account.id}, 'w-one', 'One', 'one', 60000000000), (${account.id}, 'w-two', 'Two', 'two', 0)`.execute(
      app.database.db,
    )
    await sql`insert into account_invites (account_id, email, account_role, invited_by, expires_at)
      select ${account.id}, 'p' || n || '@example.com', 'account_view', m.profile_id, now() + interval '7 days'
        from generate_series(1, 5) n, account_members m where m.account_id = ${account.id}`.execute(app.database.db)
    const refusedResponse = await owner.call(calls.getPlanChangeLink, { params, query: { plan: 'basic' } })
    expect(refusedResponse).toMatchObject({ status: 409, errors: [{ code: 'plan_too_small' }] })
    expect(refusedResponse.errors[0]?.detail).toBe(
      [
        'Your current usage exceeds the limits of this plan:',
        'User seats: 6 in use (Limit: 5)',
        'Workspaces: 2 created (Limit: 1)',
        'DB storage: 55.88 GB in use (Limit: 50.00 GB)',
      ].join('\n'),
    )
    await sql`delete from workspaces where account_id = ${account.id}`.execute(app.database.db)
    await sql`delete from account_invites where account_id = ${account.id}`.execute(app.database.db)

    const down = await link(calls.getPlanChangeLink, { plan: 'basic' })
    const basic = /name="price" value="(\w+)"/.exec((await openPage(app, down)).html)?.[1] ?? ''
    await submitPage(app, down, { do: 'change', price: basic })
    const waiting = await until(plan, (value) => value.next_plan !== null)
    expect(waiting).toMatchObject({ account_type: 'team', next_plan: 'basic', status: 'active' })
  })

  test('cancelled, renewed, cancelled; past the end it is over; paid again it lives', async () => {
    await submitPage(app, await link(calls.getPortalLink), { do: 'cancel' })
    const cancelling = await until(plan, (value) => value.status === 'cancelling')
    expect(cancelling).toMatchObject({ stripe_plan_renewal_date: null, next_plan: null })
    expect(cancelling.stripe_plan_end_date).not.toBeNull()
    await submitPage(app, await link(calls.getRenewalLink), { do: 'renew' })
    await until(plan, (value) => value.status === 'active')
    await submitPage(app, await link(calls.getPortalLink), { do: 'cancel' })
    await until(plan, (value) => value.status === 'cancelling')
    await submitPage(app, 'http://localhost:4600/sandbox-pay/clock', { step: 'renewal' })
    const over = await until(plan, (value) => value.status === 'over')
    expect(over).toMatchObject({ account_type: 'team', days_left: 0 })
    expect((await openPage(app, 'http://localhost:4600/sandbox-pay/clock')).html).toContain('Plan ended')
    const usage = await owner.call(calls.getUsage, { params })
    expect(usage.data.trellis_purchased_ai_tokens_remaining).toBe(300)

    const plans = await owner.call(calls.getRenewalPlans, { params })
    await submitPage(app, plans.data.plans.basic ?? '', { card: 'mastercard' })
    const back = await until(plan, (value) => value.status === 'active')
    expect(back).toMatchObject({ account_type: 'basic', stripe_plan_end_date: null, stripe_plan_cancelled_at: null })
  })

  test('the audit log tells all of it in order', async () => {
    const told = async () =>
      (await owner.call(listAudit, { params })).data
        .toReversed()
        .filter((line) => line.action in TRAIL)
        .map((line) => line.action)
    const lines = await until(told, (found) => found.length >= Object.keys(TRAIL).length)
    expect(new Set(lines)).toEqual(new Set(Object.keys(TRAIL)))
    expect(lines.slice(0, 2)).toEqual(['accountCreated', 'planChosen'])
    expect(lines.filter((action) => action === 'creditsBought')).toHaveLength(1)
    expect(lines.at(-1)).toBe('planChosen')
  })

  test('every event was worked on', async () => {
    const open = async () =>
      await app.database.db
        .selectFrom('billing_events')
        .select(['id', 'type', 'last_error'])
        .where('worked_at', 'is', null)
        .execute()
    expect(await until(open, (rows) => rows.length === 0)).toEqual([])
  })
})

describe('accounts an account manager looks after', () => {
  test('have no end, no invoices and no card', async () => {
    await app.database.db
      .insertInto('accounts')
      .values({ trellis_code: 'inside', name: 'Inside', account_type: 'internal', stripe_plan_end_date: new Date(0) })
      .execute()
    await sql`insert into account_members (account_id, profile_id, role) select a.id, p.id, 'owner' from accounts a, profiles p
      where a.trellis_code = 'inside' and p.email = 'owner@example.com'`.execute(app.database.db)
    const params = { account_trellis_code: 'inside' }
    expect((await owner.call(calls.getPlanDetails, { params })).data).toMatchObject({
      status: 'unmanaged',
      is_plan_managed: false,
    })
    expect((await owner.call(calls.listInvoices, { params })).data).toEqual([])
    expect((await owner.call(calls.getPaymentDetails, { params })).data).toEqual({
      is_plan_managed: false,
      card: null,
      billing_email: null,
    })
    expect((await owner.call(calls.getUsage, { params })).data).toMatchObject({
      users_limit: null,
      workspaces_limit: null,
    })
  })
})

describe('events nobody signed', () => {
  let customer = ''
  const everything = async () => ({
    accounts: await app.database.db.selectFrom('accounts').selectAll().orderBy('id').execute(),
    grants: await app.database.db.selectFrom('credit_grants').selectAll().orderBy('id').execute(),
    events: await app.database.db.selectFrom('billing_events').select('id').orderBy('id').execute(),
  })
  const event = (id: string) =>
    JSON.stringify({
      id,
      object: 'event',
      type: 'customer.subscription.deleted',
      created: 1,
      data: { object: { object: 'subscription', id: 'sub_x', customer } },
    })
  const send = async (body: string, signature?: string, headers: Record<string, string> = {}) =>
    (
      await fetch(`${app.url}/webhooks/stripe`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(signature === undefined ? {} : { 'stripe-signature': signature }),
          ...headers,
        },
        body,
      })
    ).status
  const header = (payload: string, about: { secret?: string; seconds?: number } = {}) =>
    Stripe.webhooks.generateTestHeaderString({
      payload,
      secret: about.secret ?? '',
      ...(about.seconds ? { timestamp: about.seconds } : {}),
    })

  test('ten forgeries are refused and store nothing; the real one is taken once', async () => {
    const secret = (await app.ctx.ports.payments.webhookSecret()) ?? ''
    const now = Math.floor(Date.now() / 1000)
    const paying = await app.database.db
      .selectFrom('accounts')
      .select('stripe_customer_id')
      .where('stripe_customer_id', 'is not', null)
      .executeTakeFirstOrThrow()
    customer = paying.stripe_customer_id ?? ''
    const before = await everything()
    const body = event('evt_forged')
    const good = header(body, { secret })
    const forgeries: [string, string | undefined][] = [
      [body, undefined],
      [body, ''],
      [body, 't=,v1='],
      [body, header(body, { secret: 'whsec_guessed' })],
      [body.replace('sub_x', 'sub_y'), good],
      [` ${body}`, good],
      [body, header(body, { secret, seconds: now - 601 })],
      [body, good.replace('v1=', 'v0=')],
      [body, good.replace(/t=\d+/, `t=${now + 5}`)],
      ['', header('x', { secret })],
    ]
    for (const [at, [payload, signature]] of forgeries.entries())
      expect(await send(payload, signature), `forgery ${at}`).toBe(400)
    expect(await everything()).toEqual(before)
    const rows = async () =>
      await app.database.db.selectFrom('billing_events').select('id').where('id', '=', 'evt_forged').execute()
    expect(await rows()).toEqual([])
    expect(await Promise.all(Array.from({ length: 5 }, () => send(body, header(body, { secret }))))).toEqual([
      200, 200, 200, 200, 200,
    ])
    expect(await rows()).toHaveLength(1)
  })
})
