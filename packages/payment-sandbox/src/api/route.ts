import { type ApiError, badParam } from '../api-error.ts'
import type { SandboxContext } from '../sandbox-context.ts'
import { type FormTree, getText, getTexts, getWholeNumber } from '../form.ts'
import type { ListFilter } from '../store.ts'
import { type Kind, type SandboxObjects, toList } from '../stripe-objects.ts'

interface Call {
  id: string
  form: FormTree
}

/** An error whose side effects are committed; a thrown error rolls back. */
export interface Refusal {
  refusal: ApiError
}

export interface ApiRoute {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  run: (context: SandboxContext, call: Call) => Promise<object>
}

const MAX_PAGE_SIZE = 100

function parsePage(form: FormTree): Required<Pick<ListFilter, 'limit'>> & ListFilter {
  const limit = getWholeNumber(form, 'limit') ?? 10
  if (limit < 1 || limit > MAX_PAGE_SIZE) throw badParam('limit', `This value must be between 1 and ${MAX_PAGE_SIZE}.`)
  const startingAfter = getText(form, 'starting_after')
  const endingBefore = getText(form, 'ending_before')
  return {
    limit,
    ...(startingAfter === undefined ? {} : { startingAfter }),
    ...(endingBefore === undefined ? {} : { endingBefore }),
  }
}

export async function listPage<K extends Kind>(
  context: SandboxContext,
  about: { kind: K; url: string; form: FormTree },
  filter: Omit<ListFilter, 'limit'> = {},
): Promise<{ data: SandboxObjects[K][]; has_more: boolean; object: 'list'; url: string }> {
  const page = parsePage(about.form)
  const found = await context.store.list(about.kind, { ...filter, ...page, limit: page.limit + 1 })
  const hasMore = found.length > page.limit
  const data = page.endingBefore === undefined ? found.slice(0, page.limit) : found.slice(-page.limit)
  return toList(data, about.url, hasMore)
}

export function wants(form: FormTree, field: string): boolean {
  const requestedTexts = getTexts(form, 'expand')
  return requestedTexts.includes(field) || requestedTexts.includes(`data.${field}`)
}

const EXPANDABLE: Record<string, Kind> = {
  customer: 'customer',
  subscription: 'subscription',
  invoice: 'invoice',
  latest_invoice: 'invoice',
  default_payment_method: 'payment_method',
  schedule: 'subscription_schedule',
}

export async function expandObject<T extends object>(context: SandboxContext, object: T, form: FormTree): Promise<T> {
  const copy = { ...object } as Record<string, unknown>
  for (const [field, kind] of Object.entries(EXPANDABLE)) {
    const id = copy[field]
    if (wants(form, field) && typeof id === 'string') copy[field] = await context.store.get(kind, id)
  }
  const settings = copy['invoice_settings'] as { default_payment_method?: unknown } | undefined
  if (wants(form, 'invoice_settings.default_payment_method') && typeof settings?.default_payment_method === 'string') {
    const method = await context.store.get('payment_method', settings.default_payment_method)
    copy['invoice_settings'] = { ...settings, default_payment_method: method }
  }
  return copy as T
}

/** Sequential: a connection in a transaction runs one query at a time. */
export async function mapSequentially<A, B>(list: readonly A[], work: (one: A) => Promise<B>): Promise<B[]> {
  const done: B[] = []
  for (const item of list) done.push(await work(item))
  return done
}
