import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createAi } from '../../../testing/ai/fake-ai.ts'
import { fakeModel } from '../../../testing/ai/fake-model.ts'
import { openApp } from '../../../testing/render-app.tsx'

const NEW = '/northwind/growth/sparks/new'

const createButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Create spark' })
const isBusy = () => createButton().getAttribute('aria-busy') === 'true'

test('a prompt sent before it is known whether a model is connected waits for that', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { user, world, router } = openApp(`${NEW}?from=prompt`, {
    late: new Map([['getAiModel', promise]]),
    ai: createAi({ model: fakeModel({ source: 'account' }) }),
  })
  await user.type(await screen.findByLabelText('What should it show?'), 'Orders by status')
  await user.type(screen.getByLabelText('Name'), 'Orders{Enter}')
  expect(isBusy()).toBe(true)
  expect(world.sparks.origins).toEqual([])
  resolve()
  await waitFor(() => expect(router.state.location.pathname).toBe('/northwind/growth/sparks/new1'))
  expect(world.sparks.origins).toEqual([{ kind: 'prompt', prompt: 'Orders by status' }])
})

test('without a model nothing of a waiting prompt is sent', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { user, world } = openApp(`${NEW}?from=prompt`, { late: new Map([['getAiModel', promise]]) })
  await user.type(await screen.findByLabelText('What should it show?'), 'Orders by status')
  await user.type(screen.getByLabelText('Name'), 'Orders{Enter}')
  resolve()
  expect(await screen.findByText('No model is connected')).toBeTruthy()
  expect(world.sparks.origins).toEqual([])
})

test('a template sent before the columns of its table are there waits for them', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { user, world, router } = openApp(`${NEW}?template=kpi_page`, {
    late: new Map([['getTableDetails', promise]]),
  })
  const option = await screen.findByRole<HTMLOptionElement>('option', { name: 'shop.orders' })
  await user.selectOptions(screen.getByLabelText('Table'), option)
  await user.type(screen.getByLabelText('Name'), ' today{Enter}')
  expect(isBusy()).toBe(true)
  resolve()
  await waitFor(() => expect(router.state.location.pathname).toBe('/northwind/growth/sparks/new1'))
  expect(world.sparks.origins).toMatchObject([{ template: 'kpi_page', values: { columns: { value: ['id'] } } }])
})

test('while its tables are on the way a project is not said to have none, and there is no list to type into', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  openApp(`${NEW}?template=kpi_page`, { late: new Map([['getAiProjectTables', promise]]) })
  expect(await screen.findByLabelText('Loading the tables of the project')).toBeTruthy()
  expect(screen.queryByLabelText('Table')).toBeNull()
  expect(screen.queryByText('Choose the tables of the project')).toBeNull()
  resolve()
  expect(await screen.findByRole('option', { name: 'shop.orders' })).toBeTruthy()
})
