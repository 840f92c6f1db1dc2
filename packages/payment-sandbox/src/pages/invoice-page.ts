import type { SandboxContext } from '../sandbox-context.ts'
import { type PageResponse, formatDay, formatDollars, html, page, renderStatus } from './layout.ts'

export async function invoicePage(context: SandboxContext, id: string, isPrint: boolean): Promise<PageResponse> {
  const invoice = await context.store.get('invoice', id)
  const rows = invoice.lines.data.map(
    (line) =>
      html`<tr>
        <td>
          ${line.description ?? ''}${line.period.end > line.period.start && html`<br /><span class="muted">${formatDay(line.period.start)} to ${formatDay(line.period.end)}</span>`}
        </td>
        <td class="number">${line.quantity ?? 1}</td>
        <td class="number">${formatDollars(line.amount)}</td>
      </tr>`,
  )
  const { paid_at: paidAt } = invoice.status_transitions
  const { post_payment_credit_notes_amount: refunded } = invoice
  const title = `Invoice ${invoice.number ?? ''}`.trim()
  const content = html`<section class="card">
      <div class="row">
        <span
          ><h1>${title}</h1>
          ${renderStatus(invoice.status ?? 'draft')}</span
        >
        <span class="price">${formatDollars(invoice.total)}</span>
      </div>
      <div class="row"><span class="muted">From</span><span>${invoice.account_name ?? 'Trellis'}</span></div>
      <div class="row">
        <span class="muted">Billed to</span
        ><span>${invoice.customer_name ?? ''}<br /><span class="muted">${invoice.customer_email ?? ''}</span></span>
      </div>
      <div class="row">
        <span class="muted">Date of issue</span><span>${formatDay(invoice.effective_at ?? invoice.created)}</span>
      </div>
      ${paidAt !== null && html`<div class="row"><span class="muted">Paid on</span><span>${formatDay(paidAt)}</span></div>`}
      ${invoice.next_payment_attempt !== null && html`<div class="row"><span class="muted">Next attempt</span><span>${formatDay(invoice.next_payment_attempt)}</span></div>`}
    </section>
    <section class="card">
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th>Description</th>
              <th class="number">Quantity</th>
              <th class="number">Amount</th>
            </tr>
          </thead>
          <tbody>
            ${rows}
          </tbody>
        </table>
      </div>
      <div class="row"><span class="muted">Total</span><span>${formatDollars(invoice.total)}</span></div>
      <div class="row"><span class="muted">Paid</span><span>${formatDollars(invoice.amount_paid)}</span></div>
      ${refunded > 0 && html`<div class="row"><span class="muted">Refunded</span><span>${formatDollars(refunded)}</span></div>`}
      <div class="row total"><span>Amount due</span><span>${formatDollars(invoice.amount_remaining)}</span></div>
    </section>
    ${!isPrint && html`<div class="actions"><a class="button" href="${invoice.invoice_pdf ?? '?'}">Printable version</a></div>`}
    ${isPrint && html`<p class="muted small noprint">Print this page, or save it as PDF from the print dialog.</p>`}`
  return page({ title, content, isNarrow: true })
}
