import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createUploads } from '../../testing/fake-uploads.ts'
import { openApp } from '../../testing/render-app.tsx'

const SCHEMA = '/northwind/growth/explorer/w-northwind-growth-db/schema/public'

test('files are listed with their state and can be taken up again or deleted', async () => {
  const { user, world, router } = openApp(`${SCHEMA}/files`)
  const table = within(await screen.findByRole('table', { name: 'Files' }))
  expect(table.getByText('clicks.parquet')).toBeTruthy()
  expect(table.getByText('Upload incomplete')).toBeTruthy()
  expect(table.getByText('812')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Actions for clicks.parquet' }))
  await user.click(screen.getByRole('menuitem', { name: 'Delete' }))
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('File deleted.')).toBeTruthy()
  expect(world.uploads.files).toHaveLength(2)
  await user.click(screen.getByText('orders.csv'))
  expect(await screen.findByLabelText('Name of the new table')).toBeTruthy()
  expect(router.state.location.search).toContain('file=')
})

test('without files it says what to do; a failure can be tried again', async () => {
  const { user, world } = openApp(`${SCHEMA}/files`, {
    uploads: createUploads({ files: [] }),
    broken: new Set(['listSchemaFiles']),
  })
  expect(await screen.findByText('The files could not be loaded')).toBeTruthy()
  world.broken.clear()
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByRole('heading', { name: 'No files yet' })).toBeTruthy()
})

test('before a file goes into a table, both ways are explained', async () => {
  const { user, router } = openApp(`${SCHEMA}/table/orders/upload`)
  expect(await screen.findByText('No file has gone into this table yet.')).toBeTruthy()
  await user.click(screen.getByRole('link', { name: /Replace/ }))
  expect(router.state.location.pathname).toBe(`${SCHEMA}/table/orders/replace`)
  expect(await screen.findByRole('heading', { name: 'Replace the rows' })).toBeTruthy()
})
