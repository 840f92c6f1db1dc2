import type { TransformationSettings } from '@trellis/contract/dataflows/task-blocks.schemas'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fakeSettings } from '../../../../testing/dataflows/fake-dataflows.ts'
import { giveSize } from '../../../../testing/give-size.ts'
import { openSetup } from '../testing/open-setup.ts'

giveSize()

const worksheet = {
  project_id: 'p1',
  file_id: 'f1',
  path: 'Revenue.sql',
  commit_id: 'abcdef0123456789'.padEnd(40, '0'),
}
const settings = (more: Partial<TransformationSettings> = {}) =>
  fakeSettings('Transformation', { code: 'select 1', worksheet, ...more })
const read = (block: { settings: unknown }) => block.settings as TransformationSettings

test('SQL from a worksheet names it with its version, opens it and is unlinked', async () => {
  const { user, block } = await openSetup({ kind: 'Transformation', settings: settings() })
  expect(await screen.findByText('From worksheet Revenue.sql (Reports), version abcdef0')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Open in worksheet' }).getAttribute('href')).toBe(
    '/northwind/growth/explorer/project/p1/folder/root/worksheet/f1/Revenue.sql/code-editor',
  )
  expect(screen.queryByRole('button', { name: 'Update to the published version' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Unlink' }))
  const question = await screen.findByRole('dialog', { name: 'Unlink the worksheet?' })
  await user.click(within(question).getByRole('button', { name: 'Unlink' }))
  await waitFor(() => expect(screen.queryByText(/From worksheet/)).toBeNull())
  expect(read(block())).toMatchObject({ code: 'select 1' })
  expect(read(block()).worksheet).toBeUndefined()
})

test('a block that is behind is updated to the published version', async () => {
  const { user, block } = await openSetup({ kind: 'Transformation', settings: settings({ attempts: 1 }) })
  await user.click(await screen.findByRole('button', { name: 'Update to the published version' }))
  await waitFor(() => expect(read(block()).code).toBe('select 2'))
  expect(await screen.findByText(/A push of the worksheet updates this block/)).toBeTruthy()
})

test('a block with SQL of its own names no worksheet', async () => {
  await openSetup({ kind: 'Transformation', settings: fakeSettings('Transformation', { code: 'select 1' }) })
  expect(screen.queryByText(/From worksheet/)).toBeNull()
})
