import type { UploadJob } from '@trellis/contract/uploads/uploads.schemas'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { createUploads, THREE_BAD_ROWS, uploadFile, FAKE_FILE } from '../../testing/fake-uploads.ts'
import { account } from '../../testing/fake-world.ts'
import { openApp } from '../../testing/render-app.tsx'

const ROOT = '/northwind/growth/explorer/w-northwind-growth-db/schema/public'
const csv = (name: string, size = 1200) => new File(['x'.repeat(size)], name, { type: 'text/csv' })

async function choose(file: File) {
  fireEvent.change(await screen.findByLabelText('File'), { target: { files: [file] } })
}

test('a messy file: types mended, three bad rows in quarantine, delivered', async () => {
  const uploads = createUploads({ files: [], badRows: { 'Orders 2024.csv': THREE_BAD_ROWS } })
  const { user, world, router } = openApp(`${ROOT}/files/new`, { uploads })
  await choose(csv('Orders 2024.csv'))

  const name = await screen.findByLabelText<HTMLInputElement>('Name of the new table')
  expect(name.value).toBe('orders_2024')
  expect(document.activeElement).not.toBe(document.body)
  expect(world.uploads.files[0]?.received_parts).toEqual([1, 2, 3])
  expect(screen.getAllByText('Some values do not fit', { selector: 'span' })).toHaveLength(2)
  await user.clear(name)
  await user.type(name, 'orders')
  const customer = screen.getByLabelText('Column name for Customer')
  await user.clear(customer)
  await user.type(customer, 'order_id')
  expect(screen.getByText('Another column has this name')).toBeTruthy()
  await user.clear(customer)
  await user.type(customer, 'buyer')
  await user.click(screen.getByLabelText('Order ID is part of the key'))
  await user.click(screen.getByRole('button', { name: 'Check all rows' }))

  expect(await screen.findByText('There is a table with this name already.')).toBeTruthy()
  await user.clear(name)
  await user.type(name, 'orders_new')
  await user.click(screen.getByRole('button', { name: 'Check all rows' }))

  expect(await screen.findByRole('heading', { name: '3 rows do not fit' })).toBeTruthy()
  const bad = within(screen.getByRole('region', { name: 'Rows that do not fit' }))
  expect(await bad.findByText('This day does not exist')).toBeTruthy()
  expect(bad.getByText('twelve')).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: /Make the table/ }).disabled).toBe(true)
  await user.click(screen.getByLabelText(/Put them in quarantine/))
  await user.click(screen.getByRole('button', { name: 'Make the table with 1,201 rows' }))

  expect(await screen.findByRole('heading', { name: 'orders_new is there' })).toBeTruthy()
  expect(await screen.findByText('1,201')).toBeTruthy()
  expect(screen.getByText('in quarantine')).toBeTruthy()
  expect(router.state.location.pathname).toContain('/files/new/')
  expect(world.uploads.files[0]).toMatchObject({ state: 'delivered', on_bad_rows: 'quarantine' })
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('orders_new was taken away again.')).toBeTruthy()
  expect(world.uploads.loads).toEqual([])
})

test.each([
  { arrives: 'before the file’s reading has started', startingMs: 60 },
  { arrives: 'after the file’s reading has started', startingMs: 0 },
])('an older answer about the file that arrives $arrives does not take the wizard back', async ({ startingMs }) => {
  openApp(`${ROOT}/files/new`, { uploads: createUploads({ files: [] }) })
  const ask = globalThis.fetch
  const asked = Promise.withResolvers<undefined>()
  const reading = Promise.withResolvers<undefined>()
  let answers = 0
  vi.stubGlobal('fetch', async (...request: Parameters<typeof fetch>) => {
    const url = new Request(...request).url
    if (url.endsWith('/finish')) await asked.promise
    const answer = await ask(...request)
    if (url.endsWith('/metadata')) {
      answers += 1
      asked.resolve(undefined)
      if (answers === 1) await reading.promise
    }
    if (url.endsWith('/pre-process-csv')) {
      setTimeout(() => reading.resolve(undefined), 30)
      await new Promise((resolve) => setTimeout(resolve, startingMs))
    }
    return answer
  })
  await choose(csv('visits.csv'))
  const name = await screen.findByLabelText<HTMLInputElement>('Name of the new table', {}, { timeout: 5000 })
  expect(name.value).toBe('visits')
})

test('a second file with renamed columns is mapped and appended', async () => {
  const uploads = createUploads({ files: [] })
  uploads.tables['orders'] =
    uploads.tables['orders']?.map((item) => (item.name === 'customer' ? { ...item, name: 'customer_name' } : item)) ??
    []
  const { user, world } = openApp(`${ROOT}/table/orders/append`, { uploads })
  await choose(csv('second.csv', 700))
  const target = await screen.findByLabelText<HTMLSelectElement>('Column for Customer')
  expect(target.value).toBe('')
  expect(screen.getByText(/take their default or stay empty/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Use customer_name?' }))
  expect(target.value).toBe('customer_name')
  await user.click(screen.getByRole('button', { name: 'Check all rows' }))
  const legend = within(await screen.findByLabelText('Rows against the table'))
  expect(legend.getByText('310')).toBeTruthy()
  expect(legend.getByText('Not in the file, stay')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Append 1,204 rows' }))
  expect(await screen.findByRole('heading', { name: 'The rows were added to orders' })).toBeTruthy()
  expect(world.uploads.files[0]).toMatchObject({ mode: 'append', table_name: 'orders' })
})

test('a load that was undone says so instead of counting rows that are gone', async () => {
  const file = uploadFile({ state: 'delivered', mode: 'append', table_name: 'orders', is_taken_back: true })
  openApp(`${ROOT}/table/orders/append/${FAKE_FILE}/success`, { uploads: createUploads({ files: [file] }) })
  expect(await screen.findByRole('heading', { name: 'This load was undone' })).toBeTruthy()
  expect(screen.getByText('The rows of orders.csv were removed from orders.')).toBeTruthy()
  expect(screen.queryByText('rows delivered')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})

test('a file begun before goes on with the same file alone, and only the rest is sent', async () => {
  const file = uploadFile({ state: 'uploading', received_parts: [1, 3], received_bytes: 688, dialect: null })
  const { world } = openApp(`${ROOT}/files/new?file=${FAKE_FILE}`, { uploads: createUploads({ files: [file] }) })
  expect(await screen.findByText('orders.csv was not sent to the end')).toBeTruthy()
  await choose(csv('orders.csv', 1199))
  expect(await screen.findByText(/as it was begun/)).toBeTruthy()
  await choose(csv('orders.csv', 1200))
  expect(await screen.findByLabelText('Name of the new table')).toBeTruthy()
  expect(world.uploads.files[0]?.received_parts).toEqual([1, 2, 3])
})

test('an empty file is not even sent; a stopped check leads back to the data model', async () => {
  const uploads = createUploads({ files: [uploadFile({ original_filename: 'clicks.csv' })], patience: 1000 })
  const { user, world, router } = openApp(`${ROOT}/files/new`, { uploads })
  await choose(csv('none.csv', 0))
  expect(await screen.findByText(/none.csv is empty/)).toBeTruthy()
  await router.navigate(`${ROOT}/files/new?file=${FAKE_FILE}`)
  await user.click(await screen.findByRole('button', { name: 'Check all rows' }))
  expect(await screen.findByRole('progressbar', { name: 'Checking every row' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Stop' }))
  expect(await screen.findByRole('button', { name: 'Check all rows' })).toBeTruthy()
  expect(world.uploads.jobs[0]?.status).toBe('cancelled')
})

test('a file that could not be read can be read another way', async () => {
  const job: UploadJob = {
    job_id: 'b0000000-0000-4000-8000-0000000000b1',
    kind: 'pre_process',
    status: 'failed',
    file_id: FAKE_FILE,
    schema_name: 'public',
    table_name: null,
    progress: { done_bytes: 0, total_bytes: 1, rows: 0, step: 'Reading' },
    error: 'The quote that opens in line 3 is not closed.',
    load: null,
    created_at: new Date().toISOString(),
    finished_at: new Date().toISOString(),
  }
  const file = uploadFile({ state: 'failed', dialect: null, latest_job_id: job.job_id })
  const { user, world } = openApp(`${ROOT}/files/new?file=${FAKE_FILE}`, {
    uploads: createUploads({ files: [file], jobs: [job] }),
  })
  expect(await screen.findByText(/opens in line 3/)).toBeTruthy()
  const again = await screen.findByRole('button', { name: 'Read it again' })
  await user.selectOptions(screen.getByLabelText('Quote'), '')
  await user.click(again)
  await waitFor(() => expect(world.uploads.files[0]?.dialect?.quote).toBe(''))
})

test('another delimiter reads the file anew', async () => {
  const { user, world } = openApp(`${ROOT}/files/new?file=${FAKE_FILE}`, {
    uploads: createUploads({ files: [uploadFile()] }),
  })
  await user.click(await screen.findByRole('button', { name: 'How it is read' }))
  await user.selectOptions(screen.getByLabelText('Delimiter'), ',')
  await waitFor(() => expect(world.uploads.jobs[0]?.kind).toBe('pre_process'))
  expect(world.uploads.files[0]?.dialect?.delimiter).toBe(',')
  expect(await screen.findByLabelText('Name of the new table')).toBeTruthy()
})

test('viewers are told who can upload', async () => {
  const viewer = account('Northwind', ['Growth'], { role: 'account_view' })
  const [growth] = viewer.workspaces
  if (growth) growth.role = 'workspace_viewer'
  openApp(`${ROOT}/files/new`, { accounts: [viewer] })
  expect(await screen.findByRole('heading', { name: 'You can look, but not upload' })).toBeTruthy()
})

test('sending can be cancelled, and then nothing of it is kept', async () => {
  const uploads = createUploads({ files: [] })
  const { user, world } = openApp(`${ROOT}/files/new`, { uploads, broken: new Set(['sendPart']) })
  await choose(csv('orders.csv'))
  await user.click(await screen.findByRole('button', { name: 'Cancel' }))
  const dialog = within(screen.getByRole('dialog', { name: 'Cancel sending orders.csv?' }))
  expect(world.uploads.files).toHaveLength(1)
  await user.click(dialog.getByRole('button', { name: 'Cancel sending' }))
  expect(await screen.findByRole('heading', { name: 'Drop a file here' })).toBeTruthy()
  expect(world.uploads.files).toEqual([])
})

test('leaving while a file is sent is asked about', async () => {
  const uploads = createUploads({ files: [] })
  const { user, router } = openApp(`${ROOT}/files/new`, { uploads, broken: new Set(['sendPart']) })
  await choose(csv('orders.csv'))
  await screen.findByRole('button', { name: 'Pause' })
  void router.navigate('/northwind/growth/explorer/home')
  const dialog = within(await screen.findByRole('dialog', { name: 'Leave while orders.csv is uploading?' }))
  await user.click(dialog.getByRole('button', { name: 'Stay here' }))
  expect(router.state.location.pathname).toContain('/files/new')
  void router.navigate('/northwind/growth/explorer/home')
  await user.click(await screen.findByRole('button', { name: 'Leave' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/northwind/growth/explorer/home'))
})
