import type Stripe from 'stripe'
import { completeSession } from '../act/checkout.ts'
import type { ApiError } from '../api-error.ts'
import type { SandboxContext } from '../sandbox-context.ts'
import { type FormTree, getText } from '../form.ts'
import { type CardName, TEST_CARDS, isCardName } from '../make/customer.ts'
import { toId } from '../stripe-objects.ts'
import { type Html, type PageResponse, formatDollars, goTo, html, page } from './layout.ts'

export function cardChoices(chosen: CardName): Html[] {
  return Object.entries(TEST_CARDS).map(
    ([name, card]) =>
      html`<label class="choice"
        ><input type="radio" name="card" value="${name}" ${name === chosen && { markup: ' checked' }} />
        <span><strong>${card.label}</strong><span>${card.hint}</span></span></label
      >`,
  )
}

async function lineRows(context: SandboxContext, session: Stripe.Checkout.Session): Promise<Html[]> {
  const rows: Html[] = []
  for (const line of session.line_items?.data ?? []) {
    const product = await context.store.find('product', toId(line.price?.product as string) ?? '')
    const count = line.quantity === 1 ? '' : `${line.quantity} × `
    rows.push(
      html`<div class="row">
        <span>${count}${product?.name ?? line.description ?? ''}</span><span>${formatDollars(line.amount_total)}</span>
      </div>`,
    )
  }
  return rows
}

async function showCheckout(
  context: SandboxContext,
  session: Stripe.Checkout.Session,
  problem?: { text: string; card: CardName },
): Promise<PageResponse> {
  const customer = await context.store.find('customer', toId(session.customer) ?? '')
  const total = formatDollars(session.amount_total ?? 0)
  const isPlan = session.mode === 'subscription'
  const content = html`<div class="split">
    <section>
      <p class="muted">${isPlan ? 'Subscribe' : 'Pay'}${customer?.name ? ` for ${customer.name}` : ''}</p>
      <h1 class="price">${total}${isPlan && html` <span class="muted small">per month</span>`}</h1>
      <div class="card">
        ${await lineRows(context, session)}
        <div class="row total"><span>Due today</span><span>${total}</span></div>
      </div>
      ${session.cancel_url && html`<p class="small"><a href="${session.cancel_url}">Cancel and go back</a></p>`}
    </section>
    <section class="card">
      <h2>Pay with a test card</h2>
      ${problem && html`<div class="note bad" role="alert">${problem.text}</div>`}
      <form method="post">
        <p class="small muted">Receipt to ${customer?.email ?? session.customer_email ?? 'nobody'}</p>
        <fieldset>
          <legend>Card</legend>
          ${cardChoices(problem?.card ?? 'success')}
        </fieldset>
        <button class="main wide" type="submit">${isPlan ? 'Subscribe' : `Pay ${total}`}</button>
      </form>
    </section>
  </div>`
  const status = problem ? 402 : 200
  return page({ title: isPlan ? 'Subscribe' : 'Pay', content, status, leadsTo: session.success_url })
}

function renderClosedPage(session: Stripe.Checkout.Session): PageResponse {
  const isPaid = session.status === 'complete'
  const back = isPaid ? session.success_url : session.cancel_url
  const content = html`<section class="card">
    <h1>${isPaid ? 'This is paid already' : 'This checkout has expired'}</h1>
    <p class="muted">
      ${isPaid ? 'The payment went through; nothing more was taken.' : 'Nothing was paid. Start again from Trellis to get a new one.'}
    </p>
    ${back && html`<div class="actions"><a class="button main" href="${back}">Back to Trellis</a></div>`}
  </section>`
  return page({ title: isPaid ? 'Paid' : 'Expired', content, isNarrow: true, status: 410 })
}

export async function checkoutPage(context: SandboxContext, id: string): Promise<PageResponse> {
  const session = await context.store.get('checkout.session', id)
  return session.status === 'open' ? await showCheckout(context, session) : renderClosedPage(session)
}

/** A declined card throws, so that nothing of the attempt is saved. */
export async function payCheckout(context: SandboxContext, id: string, form: FormTree): Promise<PageResponse> {
  const session = await context.store.get('checkout.session', id)
  if (session.status !== 'open') return renderClosedPage(session)
  const card = getText(form, 'card')
  if (!isCardName(card)) return await showCheckout(context, session, { text: 'Choose a card.', card: 'success' })
  const done = await completeSession(context, id, card)
  return goTo((done.success_url ?? context.pagesUrl).replaceAll('{CHECKOUT_SESSION_ID}', done.id))
}

export async function declinedCheckout(
  context: SandboxContext,
  id: string,
  about: { form: FormTree; error: ApiError },
): Promise<PageResponse> {
  const session = await context.store.get('checkout.session', id)
  const card = getText(about.form, 'card')
  const sentence = about.error.status === 402 ? 'Your card was declined. Choose another one.' : about.error.message
  return await showCheckout(context, session, { text: sentence, card: isCardName(card) ? card : 'success' })
}
