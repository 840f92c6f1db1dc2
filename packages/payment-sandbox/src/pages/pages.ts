import type pg from 'pg'
import { ApiError } from '../api-error.ts'
import { type SandboxContext, sandboxNow } from '../sandbox-context.ts'
import { type FormTree, readForm } from '../form.ts'
import { withStore } from '../store.ts'
import { checkoutPage, declinedCheckout, payCheckout } from './checkout-page.ts'
import { clockPage, moveClock } from './clock-page.ts'
import { invoicePage } from './invoice-page.ts'
import { type PageResponse, html, page } from './layout.ts'
import { actOnPortal, portalPage } from './portal-page.ts'

export interface PageRequest {
  method: 'GET' | 'POST'
  path: string
  search: string
  body: string
  /** For operators only, not for everyone who may pay. */
  canMoveClock: boolean
}

interface PageContext {
  pool: pg.Pool
  pagesUrl: string
}

type Step = (context: SandboxContext) => Promise<PageResponse>

interface PageRoute {
  show: Step
  act?: Step
  refused?: (context: SandboxContext, error: ApiError) => Promise<PageResponse>
}

function find(request: PageRequest, form: FormTree): PageRoute | undefined {
  const [, kind, id = '', more] = request.path.split('/')
  const { search } = request
  if (kind === 'c' && more === undefined) {
    return {
      show: (context) => checkoutPage(context, id),
      act: (context) => payCheckout(context, id, form),
      refused: (context, error) => declinedCheckout(context, id, { form, error }),
    }
  }
  if (kind === 'p' && more === undefined) {
    return {
      show: (context) => portalPage(context, id, { search }),
      act: (context) => actOnPortal(context, id, form),
      refused: (context, error) => portalPage(context, id, { search, problem: error.message }),
    }
  }
  if (kind === 'i' && (more === undefined || more === 'print'))
    return { show: (context) => invoicePage(context, id, more === 'print') }
  if (kind === 'clock' && id === '' && request.canMoveClock) {
    return { show: (context) => clockPage(context, search), act: (context) => moveClock(context, { form, search }) }
  }
  return undefined
}

export async function answerPage(pageContext: PageContext, request: PageRequest): Promise<PageResponse> {
  const run = async (isWrite: boolean, step: Step) =>
    await withStore(pageContext.pool, { isWrite }, async (store) =>
      step({ store, pagesUrl: pageContext.pagesUrl, testClock: null, now: await sandboxNow(store) }),
    )
  try {
    const pageRoute = find(request, request.method === 'POST' ? readForm(request.body) : {})
    if (!pageRoute || (request.method === 'POST' && !pageRoute.act)) return notHere()
    const { show, act, refused } = pageRoute
    if (request.method === 'GET' || !act) return await run(false, show)
    try {
      return await run(true, act)
    } catch (error) {
      if (!(error instanceof ApiError) || !refused || error.status === 404 || error.status === 410) throw error
      return await run(false, (context) => refused(context, error))
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.status === 404 ? notHere() : problemPage(error)
  }
}

function notHere(): PageResponse {
  const content = html`<section class="card">
    <h1>There is nothing here</h1>
    <p class="muted">The link may be old or not complete. Open the page from Trellis again.</p>
  </section>`
  return page({ title: 'Nothing here', content, isNarrow: true, status: 404 })
}

function problemPage(error: ApiError): PageResponse {
  const content = html`<section class="card">
    <h1>This did not work</h1>
    <p class="muted">${error.message}</p>
  </section>`
  return page({ title: 'This did not work', content, isNarrow: true, status: error.status })
}
