import type Stripe from 'stripe'
import { releaseSchedule } from '../act/end.ts'
import { cancelAtEnd, changePrice, changePriceAtEnd, revertCancellation, updateCard } from '../act/subscribe.ts'
import { ApiError, badParam } from '../api-error.ts'
import { type SandboxContext, forCustomer } from '../sandbox-context.ts'
import { emit } from '../events.ts'
import { type FormTree, getText } from '../form.ts'
import { isCardName } from '../make/customer.ts'
import { isLive, getItem, getStopTime } from '../make/subscription.ts'
import { toId } from '../stripe-objects.ts'
import { cardChoices } from './checkout-page.ts'
import { type Html, type PageResponse, formatDay, formatDollars, goTo, html, page, renderStatus } from './layout.ts'

/** A portal link grants access to billing, so old ones must expire. */
const LINK_SECONDS = 3600

interface Portal {
  context: SandboxContext
  session: Stripe.BillingPortal.Session
  customer: Stripe.Customer
  features: Stripe.BillingPortal.Configuration.Features
  subscription: Stripe.Subscription | undefined
}

async function openPortal(base: SandboxContext, id: string): Promise<Portal> {
  const session = await base.store.get('billing_portal.session', id)
  const { context, customer } = await forCustomer(base, session.customer)
  if (context.testClock === null && context.now - session.created > LINK_SECONDS)
    throw new ApiError(410, 'This link is not valid any more. Open the page from Trellis again.')
  const { features } = await context.store.get('billing_portal.configuration', toId(session.configuration) ?? '')
  const all = await context.store.list('subscription', { customer: customer.id })
  return { context, session, customer, features, subscription: all.find((candidate) => isLive(candidate)) ?? all[0] }
}

const renderButton = (what: string, label: string, tone = '') =>
  html`<form method="post">
    <input type="hidden" name="do" value="${what}" /><button class="${tone}" type="submit">${label}</button>
  </form>`

async function listPricesFor({ context, features }: Portal): Promise<Stripe.Price[]> {
  const ids = (features.subscription_update.products ?? []).flatMap((product) => product.prices)
  const prices: Stripe.Price[] = []
  for (const id of ids) prices.push(await context.store.get('price', id))
  return prices.toSorted((a, b) => (a.unit_amount ?? 0) - (b.unit_amount ?? 0))
}

const priceName = (price: Stripe.Price) => price.nickname ?? price.id

async function waitingPrice(
  context: SandboxContext,
  subscription: Stripe.Subscription,
): Promise<Stripe.Price | undefined> {
  const id = toId(subscription.schedule)
  if (id === null) return undefined
  const schedule = await context.store.get('subscription_schedule', id)
  const priceId = toId(schedule.phases[1]?.items[0]?.price)
  return priceId === null ? undefined : await context.store.get('price', priceId)
}

async function planCard(portal: Portal): Promise<Html> {
  const { context, subscription, features } = portal
  if (!subscription)
    return html`<section class="card">
      <h2>Plan</h2>
      <p class="muted">There is no plan.</p>
    </section>`
  const { price, current_period_end: end } = getItem(subscription)
  const stops = getStopTime(subscription)
  const waiting = await waitingPrice(context, subscription)
  const others = features.subscription_update.enabled
    ? (await listPricesFor(portal)).filter((item) => item.id !== price.id)
    : []
  const isGoing = isLive(subscription)
  const sentence = !isGoing
    ? `Ended on ${formatDay(subscription.ended_at ?? end)}.`
    : stops !== null
      ? `Ends on ${formatDay(stops)}. Nothing more will be charged.`
      : waiting
        ? `Changes to ${priceName(waiting)} on ${formatDay(end)}.`
        : `Renews on ${formatDay(end)}.`
  return html`<section class="card">
    <div class="row">
      <span><strong>${priceName(price)}</strong><br /><span class="muted small">${sentence}</span></span>
      <span
        >${formatDollars(price.unit_amount ?? 0)} <span class="muted small">per month</span
        ><br />${renderStatus(subscription.status)}</span
      >
    </div>
    ${
      isGoing &&
      html`<div class="actions">
        ${stops === null && others.map((item) => html`<a class="button" href="?change=${item.id}">Change to ${priceName(item)}</a>`)}
        ${waiting && renderButton('keep', `Keep ${priceName(price)}`)}
        ${stops !== null && renderButton('renew', 'Renew plan', 'main')}
        ${stops === null && features.subscription_cancel.enabled && html`<a class="button danger" href="?cancel=1">Cancel plan</a>`}
      </div>`
    }
  </section>`
}

async function cardCard({ context, customer, subscription, features }: Portal): Promise<Html> {
  const id = toId(subscription?.default_payment_method) ?? toId(customer.invoice_settings.default_payment_method)
  const method = id === null ? undefined : await context.store.find('payment_method', id)
  const card = method?.card
  return html`<section class="card">
    <h2>Payment method</h2>
    <p>
      ${card ? `${card.brand === 'visa' ? 'Visa' : 'Mastercard'} •••• ${card.last4}, expires ${String(card.exp_month).padStart(2, '0')}/${card.exp_year}` : 'No card yet.'}
    </p>
    ${features.payment_method_update.enabled && html`<div class="actions"><a class="button" href="?card=1">Update card</a></div>`}
  </section>`
}

async function invoicesCard({ context, customer, features }: Portal): Promise<Html | undefined> {
  if (!features.invoice_history.enabled) return undefined
  const invoices = await context.store.list('invoice', { customer: customer.id, limit: 12 })
  const rows = invoices.map(
    (invoice) =>
      html`<tr>
        <td>${formatDay(invoice.created)}</td>
        <td>
          ${invoice.hosted_invoice_url ? html`<a href="${invoice.hosted_invoice_url}">${invoice.number ?? invoice.id}</a>` : 'Draft'}
        </td>
        <td>${renderStatus(invoice.status ?? 'draft')}</td>
        <td class="number">${formatDollars(invoice.total)}</td>
      </tr>`,
  )
  return html`<section class="card">
    <h2>Invoices</h2>
    ${
      rows.length === 0
        ? html`<p class="muted">There are no invoices yet.</p>`
        : html`<div class="scroll">
            <table>
              <thead>
                <tr>
                  <th>Date</th>
                  <th>Number</th>
                  <th>Status</th>
                  <th class="number">Amount</th>
                </tr>
              </thead>
              <tbody>
                ${rows}
              </tbody>
            </table>
          </div>`
    }
  </section>`
}

const backLink = (session: Stripe.BillingPortal.Session) =>
  session.return_url && html`<p class="small noprint"><a href="${session.return_url}">← Back to Trellis</a></p>`

function renderForm(
  portal: Portal,
  about: { title: string; content: Html; problem: string | undefined },
): PageResponse {
  const { session } = portal
  const notice = about.problem && html`<div class="note bad" role="alert">${about.problem}</div>`
  const content = html`${backLink(session)}
    <section class="card">
      <h1>${about.title}</h1>
      ${notice}${about.content}
    </section>`
  const leadsTo = session.flow?.after_completion.redirect?.return_url ?? session.return_url
  return page({ title: about.title, content, isNarrow: true, leadsTo, status: about.problem ? 402 : 200 })
}

const renderBackButton = (portal: Portal) =>
  portal.session.flow
    ? html`<a class="button" href="${portal.session.return_url ?? '?'}">Go back</a>`
    : html`<a class="button" href="${portal.session.url}">Go back</a>`

function renderCancelForm(portal: Portal, problem?: string): PageResponse {
  const { subscription } = portal
  if (!subscription || !isLive(subscription)) throw badParam('subscription', 'There is no plan to cancel.')
  const end = formatDay(getItem(subscription).current_period_end)
  const content = html`<p class="muted">
      The plan stays in use until ${end} and ends then. Until that day it can be renewed on this page.
    </p>
    <form method="post">
      <input type="hidden" name="do" value="cancel" />
      <div class="actions"><button class="danger" type="submit">Cancel plan</button>${renderBackButton(portal)}</div>
    </form>`
  return renderForm(portal, { title: 'Cancel plan?', content, problem })
}

function renderCardForm(portal: Portal, problem?: string): PageResponse {
  const content = html`<form method="post">
    <input type="hidden" name="do" value="card" />
    <fieldset>
      <legend>New card</legend>
      ${cardChoices('success')}
    </fieldset>
    <p class="small muted">Open invoices are tried again with it at once.</p>
    <div class="actions"><button class="main" type="submit">Save card</button>${renderBackButton(portal)}</div>
  </form>`
  return renderForm(portal, { title: 'Update card', content, problem })
}

async function renderChangeForm(portal: Portal, priceId: string, problem?: string): Promise<PageResponse> {
  const { context, subscription } = portal
  if (!subscription || !isLive(subscription)) throw badParam('subscription', 'There is no plan to change.')
  const to = await context.store.get('price', priceId)
  const { price: from, current_period_end: end, current_period_start: start } = getItem(subscription)
  const isLower = isScheduled(portal, to)
  const part = (end - context.now) / (end - start)
  const due = Math.round((to.unit_amount ?? 0) * part) - Math.round((from.unit_amount ?? 0) * part)
  const content = html`<div class="row">
      <span>${priceName(from)}</span><span>${formatDollars(from.unit_amount ?? 0)} per month</span>
    </div>
    <div class="row">
      <span><strong>${priceName(to)}</strong></span
      ><span>${formatDollars(to.unit_amount ?? 0)} per month</span>
    </div>
    <div class="row total">
      <span>Due today</span><span>${isLower ? formatDollars(0) : formatDollars(Math.max(0, due))}</span>
    </div>
    <p class="small muted">
      ${isLower ? `The change takes effect on ${formatDay(end)}, when the period that is paid for ends.` : `The change takes effect now. What is left of the period until ${formatDay(end)} is charged in proportion.`}
    </p>
    <form method="post">
      <input type="hidden" name="do" value="change" /><input type="hidden" name="price" value="${to.id}" />
      <div class="actions"><button class="main" type="submit">Confirm change</button>${renderBackButton(portal)}</div>
    </form>`
  return renderForm(portal, { title: `Change to ${priceName(to)}`, content, problem })
}

function isScheduled({ features, subscription }: Portal, to: Stripe.Price): boolean {
  const waits = features.subscription_update.schedule_at_period_end.conditions.some(
    (condition) => condition.type === 'decreasing_item_amount',
  )
  const from = subscription ? getItem(subscription).price : undefined
  return waits && (to.unit_amount ?? 0) < (from?.unit_amount ?? 0)
}

function flowStep(portal: Portal, problem?: string): Promise<PageResponse> | PageResponse | undefined {
  const { flow } = portal.session
  if (flow?.type === 'subscription_cancel') return renderCancelForm(portal, problem)
  if (flow?.type === 'payment_method_update') return renderCardForm(portal, problem)
  const price = flow?.subscription_update_confirm?.items[0]?.price
  return price ? renderChangeForm(portal, price, problem) : undefined
}

export async function portalPage(
  base: SandboxContext,
  id: string,
  about: { search: string; problem?: string },
): Promise<PageResponse> {
  const portal = await openPortal(base, id)
  const query = new URLSearchParams(about.search)
  const change = query.get('change')
  const { problem } = about
  const step = await flowStep(portal, problem)
  if (step) return step
  if (query.has('cancel')) return renderCancelForm(portal, problem)
  if (query.has('card')) return renderCardForm(portal, problem)
  if (change !== null) return await renderChangeForm(portal, change, problem)
  const { customer, session } = portal
  const content = html`${backLink(session)}
    <h1>${customer.name ?? customer.email ?? 'Plan and payment'}</h1>
    <p class="muted">Plan, payment method and invoices</p>
    ${problem && html`<div class="note bad" role="alert">${problem}</div>`}
    ${!problem && query.has('done') && html`<div class="note good" role="status">The change is saved.</div>`}
    ${await planCard(portal)}${await cardCard(portal)}${await invoicesCard(portal)}`
  return page({ title: 'Plan and payment', content, isNarrow: true, status: problem ? 400 : 200 })
}

export async function actOnPortal(base: SandboxContext, id: string, form: FormTree): Promise<PageResponse> {
  const portal = await openPortal(base, id)
  await handlePortalAction(portal, form)
  const { session } = portal
  return goTo(session.flow?.after_completion.redirect?.return_url ?? `${session.url}?done=1`)
}

async function handlePortalAction(portal: Portal, form: FormTree): Promise<void> {
  const { context, customer, subscription, features } = portal
  const what = getText(form, 'do')
  if (what === 'card' && features.payment_method_update.enabled) {
    const card = getText(form, 'card')
    if (!isCardName(card) || card === 'declined') throw new ApiError(402, 'Your card was declined. Choose another one.')
    return await updateCard(context, customer, card)
  }
  if (!subscription || !isLive(subscription))
    throw new ApiError(400, 'The plan has ended. Choose a plan in Trellis to start again.')
  if (what === 'cancel' && features.subscription_cancel.enabled) await cancelAtEnd(context, subscription)
  else if (what === 'renew') await revertCancellation(context, subscription)
  else if (what === 'keep') await cancelPlanChange(context, subscription)
  else if (what === 'change' && features.subscription_update.enabled)
    await changePlan(portal, subscription, getText(form, 'price') ?? '')
  else throw new ApiError(400, 'This page can not do that.')
}

async function cancelPlanChange(context: SandboxContext, subscription: Stripe.Subscription): Promise<void> {
  const free = await context.store.put(await releaseSchedule(context, subscription))
  await emit(context, 'customer.subscription.updated', free)
}

async function changePlan(portal: Portal, subscription: Stripe.Subscription, priceId: string): Promise<void> {
  const allowed = (portal.features.subscription_update.products ?? []).flatMap((product) => product.prices)
  if (!allowed.includes(priceId)) throw new ApiError(400, 'This plan can not be chosen here.')
  const price = await portal.context.store.get('price', priceId)
  if (isScheduled(portal, price)) await changePriceAtEnd(portal.context, subscription, price)
  else await changePrice(portal.context, subscription, { price, proration: 'always_invoice' })
}
