import { badParam } from '../api-error.ts'
import { getBranch, mergeMetadata, getRequiredText, getText, getTexts, getWholeNumber, getBoolean } from '../form.ts'
import { makePrice, makeProduct } from '../make/catalogue.ts'
import { toList } from '../stripe-objects.ts'
import { type ApiRoute, listPage } from './route.ts'

export const catalogueRoutes: readonly ApiRoute[] = [
  {
    method: 'POST',
    path: '/v1/products',
    run: async (context, { form }) =>
      await context.store.put(
        makeProduct(context, { name: getRequiredText(form, 'name'), metadata: mergeMetadata(form) }),
      ),
  },
  {
    method: 'GET',
    path: '/v1/products',
    run: async (context, { form }) => await listPage(context, { kind: 'product', url: '/v1/products', form }),
  },
  { method: 'GET', path: '/v1/products/:id', run: async (context, { id }) => await context.store.get('product', id) },
  {
    method: 'POST',
    path: '/v1/prices',
    run: async (context, { form }) => {
      const lookupKey = getText(form, 'lookup_key') ?? null
      if (lookupKey !== null) {
        const [taken] = await context.store.list('price', { where: { lookup_key: lookupKey }, limit: 1 })
        if (taken) throw badParam('lookup_key', `A price (\`${taken.id}\`) already uses that lookup key.`)
      }
      const data = getBranch(form, 'product_data')
      const product = data
        ? await context.store.put(
            makeProduct(context, { name: getRequiredText(data, 'name'), metadata: mergeMetadata(data) }),
          )
        : await context.store.get('product', getRequiredText(form, 'product'))
      const amount = getWholeNumber(form, 'unit_amount')
      if (amount === undefined || amount < 0) throw badParam('unit_amount', 'This value must be 0 or more.')
      const recurring = getBranch(form, 'recurring')
      if (recurring && getText(recurring, 'interval') !== 'month')
        throw badParam('recurring[interval]', 'The sandbox bills by the month.')
      const price = makePrice(context, {
        product: product.id,
        amount,
        currency: getRequiredText(form, 'currency'),
        isMonthly: recurring !== undefined,
        lookupKey,
        nickname: getText(form, 'nickname') ?? product.name,
        metadata: mergeMetadata(form),
      })
      return await context.store.put(price)
    },
  },
  {
    method: 'GET',
    path: '/v1/prices',
    run: async (context, { form }) => {
      const keys = getTexts(form, 'lookup_keys')
      const active = getBoolean(form, 'active')
      const all = await context.store.list('price')
      const wanted = all.filter(
        (price) =>
          (keys.length === 0 || keys.includes(price.lookup_key ?? '')) &&
          (active === undefined || price.active === active),
      )
      return toList(wanted.slice(0, getWholeNumber(form, 'limit') ?? 10), '/v1/prices')
    },
  },
  { method: 'GET', path: '/v1/prices/:id', run: async (context, { id }) => await context.store.get('price', id) },
]
