import type Stripe from 'stripe'
import { advanceSandbox } from '../act/due-events.ts'
import { badParam } from '../api-error.ts'
import type { SandboxContext } from '../sandbox-context.ts'
import { type FormTree, getText } from '../form.ts'
import { addMonths } from '../months.ts'
import { type Html, type PageResponse, goTo, html, formatDateTime, page } from './layout.ts'

const DAY = 86_400
const HOUR = 3600

const STEPS = {
  hour: 'An hour',
  day: 'A day',
  week: 'A week',
  month: 'A month',
  renewal: 'To just after the next renewal',
} as const

const WORDS: Partial<Record<Stripe.Event.Type, string>> = {
  'checkout.session.completed': 'Checkout paid',
  'checkout.session.expired': 'Checkout expired',
  'customer.created': 'Customer created',
  'customer.updated': 'Customer changed',
  'customer.subscription.created': 'Plan started',
  'customer.subscription.updated': 'Plan changed or renewed',
  'customer.subscription.deleted': 'Plan ended',
  'subscription_schedule.created': 'Change of plan planned',
  'subscription_schedule.released': 'Planned change done or called off',
  'invoice.created': 'Invoice drafted',
  'invoice.finalized': 'Invoice issued',
  'invoice.paid': 'Invoice paid',
  'invoice.payment_succeeded': 'Payment succeeded',
  'invoice.payment_failed': 'Payment failed',
  'invoice.voided': 'Invoice cancelled',
  'invoice.marked_uncollectible': 'Invoice given up',
  'payment_method.attached': 'Card added',
}

async function findNextRenewal(context: SandboxContext): Promise<number | undefined> {
  const rows = await context.store.query<{ at: string | null }>(
    `select min((body #>> '{items,data,0,current_period_end}')::bigint) as at from sandbox_objects
      where kind = 'subscription' and body ->> 'status' in ('active', 'past_due') and body ->> 'test_clock' is null`,
  )
  const at = rows[0]?.at
  return at === null || at === undefined ? undefined : Number(at)
}

async function readCustomerName(context: SandboxContext, event: Stripe.Event): Promise<string> {
  const object = event.data.object as { object: string; id: string; customer?: unknown }
  const id = object.object === 'customer' ? object.id : object.customer
  const customer = typeof id === 'string' ? await context.store.find('customer', id) : undefined
  return customer?.name ?? customer?.email ?? ''
}

async function eventRows(context: SandboxContext): Promise<Html[]> {
  const rows: Html[] = []
  for (const event of await context.store.list('event', { limit: 30 })) {
    rows.push(
      html`<tr>
        <td>${formatDateTime(event.created)}</td>
        <td>${WORDS[event.type] ?? event.type}<br /><span class="muted">${event.type}</span></td>
        <td>${await readCustomerName(context, event)}</td>
      </tr>`,
    )
  }
  return rows
}

export async function clockPage(context: SandboxContext, search: string): Promise<PageResponse> {
  const ahead = context.now - Math.floor(Date.now() / 1000)
  const renewal = await findNextRenewal(context)
  const events = await eventRows(context)
  const steps = Object.entries(STEPS).filter(([name]) => name !== 'renewal' || renewal !== undefined)
  const content = html`<h1>Sandbox clock</h1>
    <p class="muted">
      Move time forward to see renewals, failed payments and plans that end. Time in the sandbox only goes forward.
    </p>
    ${new URLSearchParams(search).has('moved') && html`<div class="note good" role="status">The clock was moved. What happened is listed below, newest first.</div>`}
    <section class="card">
      <div class="row">
        <span class="muted">Now in the sandbox</span><span><strong>${formatDateTime(context.now)}</strong></span>
      </div>
      <div class="row">
        <span class="muted">Ahead of the real time</span
        ><span
          >${ahead < 60 ? 'Not at all' : `${Math.floor(ahead / DAY)} days ${Math.floor((ahead % DAY) / HOUR)} hours`}</span
        >
      </div>
      <div class="row">
        <span class="muted">Next renewal or end</span
        ><span>${renewal === undefined ? 'None' : formatDateTime(renewal)}</span>
      </div>
      <form method="post">
        <div class="actions">
          ${steps.map(([name, label]) => html`<button class="${name === 'renewal' ? 'main' : ''}" name="step" value="${name}" type="submit">${label}</button>`)}
        </div>
      </form>
    </section>
    <section class="card">
      <h2>What happened</h2>
      ${
        events.length === 0
          ? html`<p class="muted">Nothing yet. Buy a plan in Trellis first.</p>`
          : html`<div class="scroll">
              <table>
                <thead>
                  <tr>
                    <th>When</th>
                    <th>What</th>
                    <th>For</th>
                  </tr>
                </thead>
                <tbody>
                  ${events}
                </tbody>
              </table>
            </div>`
      }
    </section>`
  return page({ title: 'Sandbox clock', content })
}

async function computeSecondsFor(context: SandboxContext, step: string | undefined): Promise<number> {
  const renewal = step === 'renewal' ? await findNextRenewal(context) : undefined
  // Two hours more, since the invoice is a draft for one.
  if (renewal !== undefined) return Math.max(renewal - context.now, 0) + 2 * HOUR
  const seconds = { hour: HOUR, day: DAY, week: 7 * DAY, month: addMonths(context.now, 1) - context.now }
  if (step === undefined || !Object.hasOwn(seconds, step)) throw badParam('step', 'The clock can not be moved by that.')
  return seconds[step as keyof typeof seconds]
}

export async function moveClock(
  context: SandboxContext,
  about: { form: FormTree; search: string },
): Promise<PageResponse> {
  await advanceSandbox(context, await computeSecondsFor(context, getText(about.form, 'step')))
  const query = new URLSearchParams(about.search)
  query.set('moved', '1')
  return goTo(`${context.pagesUrl}/clock?${query}`)
}
