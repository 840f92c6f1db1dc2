import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { FAKE_DATABASE } from '../../../testing/fake-explorer.ts'
import { surroundPart } from '../../../testing/render/render-part.tsx'
import { SourcesForm } from './SourcesForm.tsx'

test('a source added before the databases are there belongs to the first of them', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { Surroundings } = surroundPart({ late: new Map([['listDatabases', promise]]) })
  const onChange = vi.fn()
  const content = { sources: [], parameters: [], body: { kind: 'blocks' as const, blocks: [] } }
  render(<SourcesForm project="sales" content={content} onChange={onChange} />, { wrapper: Surroundings })
  await userEvent.click(await screen.findByRole('button', { name: 'Add source' }))
  expect(onChange).not.toHaveBeenCalled()
  resolve()
  await waitFor(() => expect(onChange).toHaveBeenCalledOnce())
  expect(onChange.mock.lastCall).toMatchObject([[{ integration_trellis_code: FAKE_DATABASE }]])
})
