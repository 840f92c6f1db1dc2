import { withCustomerClock, forCustomer } from '../sandbox-context.ts'
import { emit } from '../events.ts'
import { getBranch, has, mergeMetadata, getText } from '../form.ts'
import { makeCustomer } from '../make/customer.ts'
import { type ApiRoute, expandObject, listPage } from './route.ts'

export const customerRoutes: readonly ApiRoute[] = [
  {
    method: 'POST',
    path: '/v1/customers',
    run: async (context, { form }) => {
      const testClock = getText(form, 'test_clock') ?? null
      const about = {
        email: getText(form, 'email') ?? null,
        name: getText(form, 'name') ?? null,
        testClock,
        metadata: mergeMetadata(form),
      }
      const at = await withCustomerClock(context, makeCustomer(context, about))
      const customer = await context.store.put(makeCustomer(at, about))
      await emit(at, 'customer.created', customer)
      return customer
    },
  },
  {
    method: 'GET',
    path: '/v1/customers',
    run: async (context, { form }) =>
      await listPage(
        context,
        { kind: 'customer', url: '/v1/customers', form },
        { where: { email: getText(form, 'email') } },
      ),
  },
  {
    method: 'GET',
    path: '/v1/customers/:id',
    run: async (context, { id, form }) => await expandObject(context, await context.store.get('customer', id), form),
  },
  {
    method: 'POST',
    path: '/v1/customers/:id',
    run: async (base, { id, form }) => {
      const { context, customer } = await forCustomer(base, id)
      const method = getText(getBranch(form, 'invoice_settings') ?? {}, 'default_payment_method')
      const changed = await context.store.put({
        ...customer,
        email: has(form, 'email') ? (getText(form, 'email') ?? null) : customer.email,
        name: has(form, 'name') ? (getText(form, 'name') ?? null) : (customer.name ?? null),
        metadata: mergeMetadata(form, customer.metadata),
        invoice_settings: method
          ? { ...customer.invoice_settings, default_payment_method: method }
          : customer.invoice_settings,
      })
      await emit(context, 'customer.updated', changed)
      return changed
    },
  },
  {
    method: 'GET',
    path: '/v1/payment_methods',
    run: async (context, { form }) => {
      const customer = getText(form, 'customer')
      return await listPage(
        context,
        { kind: 'payment_method', url: '/v1/payment_methods', form },
        customer ? { customer } : {},
      )
    },
  },
  {
    method: 'GET',
    path: '/v1/payment_methods/:id',
    run: async (context, { id }) => await context.store.get('payment_method', id),
  },
]
