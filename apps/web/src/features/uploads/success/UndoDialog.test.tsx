import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, test } from 'vitest'
import { createQueryClient } from '../../../api/query-client.ts'
import { storeToken } from '../../../api/token-store.ts'
import { createUploads, FAKE_FILE, uploadFile } from '../../../testing/fake-uploads.ts'
import { createWorld } from '../../../testing/fake-world.ts'
import { connect } from '../../../testing/render-app.tsx'
import { type TableLoad, UndoDialog } from './UndoDialog.tsx'

const LOAD: TableLoad = {
  load_id: '0198a1b2-0000-7000-8000-000000000001',
  file_id: FAKE_FILE,
  original_filename: 'second.csv',
  mode: 'append',
  source: 'file',
  rows: 2,
  quarantined_rows: 0,
  can_undo: true,
  is_undone: false,
  finished_at: '2026-01-05T10:00:00.000Z',
  by: null,
}

function Asking() {
  const [drawn, setDrawn] = useState(0)
  const address = { account_trellis_code: 'northwind', workspace_address: 'growth' }
  const place = { address, database: 'db', schema: 'public', table: 'orders', mode: 'append', canUpload: true } as const
  return (
    <>
      <button type="button" data-drawn={drawn} onClick={() => setDrawn(drawn + 1)}>
        Draw again
      </button>
      <UndoDialog scope={place} table="orders" load={LOAD} onClose={() => undefined} />
    </>
  )
}

test('an undo drawn again while the next page loads goes there once', async () => {
  const file = uploadFile({ state: 'delivered', mode: 'append', table_name: 'orders' })
  connect(createWorld({ uploads: createUploads({ files: [file], loads: [{ ...LOAD, table: 'orders' }] }) }))
  storeToken({ access_token: 'fake-token', email: 'ada@example.com' })
  const arrived = Promise.withResolvers<null>()
  let loads = 0
  const next = () => {
    loads += 1
    return arrived.promise
  }
  const router = createMemoryRouter([
    { path: '/', element: <Asking /> },
    { path: '*', loader: next, element: 'The next page' },
  ])
  const client = createQueryClient({ toast: () => undefined, onSignedOut: () => undefined })
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  const user = userEvent.setup()
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(router.state.navigation.state).toBe('loading'))
  screen.getByText('Draw again').click()
  await waitFor(() => expect(screen.getByText('Draw again').dataset['drawn']).toBe('1'))
  arrived.resolve(null)
  expect(await screen.findByText('The next page')).toBeTruthy()
  expect(loads).toBe(1)
})
