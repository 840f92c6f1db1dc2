import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { ChartSpec } from '@trellis/contract/charts/charts.schemas'
import type { SqlJob, Statement } from '@trellis/contract/sql/sql.schemas'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createAi } from '../../../../testing/ai/fake-ai.ts'
import { surroundPart } from '../../../../testing/render/render-part.tsx'
import type { FakeWorld } from '../../../../testing/fake-world.ts'
import { MakeSparkButton } from './MakeSparkButton.tsx'

const SQL = 'select 1'

async function openDialog(change: Partial<FakeWorld>) {
  const { world, router, Surroundings } = surroundPart(change)
  const job = { integration_trellis_code: 'w-northwind-growth-db', sql: `${SQL};` } as SqlJob
  const result = { start: 0, end: SQL.length + 1 } as Statement
  const chart = z.parse(ChartSpec, { kind: 'bar', title: 'Revenue', x: 'status', y: [{ column: 'revenue' }] })
  render(<MakeSparkButton job={job} result={result} chart={chart} />, { wrapper: Surroundings })
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Create a spark' }))
  return { world, router, user }
}

test('Enter before the projects are there makes the spark once they are', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { user, world, router } = await openDialog({ late: new Map([['listAiProjects', promise]]) })
  await user.type(screen.getByLabelText('Name'), ' by status{Enter}')
  expect(world.sparks.origins).toEqual([])
  resolve()
  await waitFor(() => expect(router.state.location.pathname).toBe('/northwind/growth/sparks/new1'))
  expect(world.sparks.origins).toMatchObject([{ kind: 'query', sql: SQL }])
})

test('without a project there is nothing to make it in', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { user, world } = await openDialog({
    late: new Map([['listAiProjects', promise]]),
    ai: createAi({ projects: [] }),
  })
  await user.type(screen.getByLabelText('Name'), '{Enter}')
  resolve()
  expect(await screen.findByText('No AI projects yet')).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Create spark' }).disabled).toBe(true)
  expect(world.sparks.origins).toEqual([])
})

test('projects that could not be loaded are asked for again', async () => {
  const { world } = await openDialog({ broken: new Set(['listAiProjects']) })
  const retry = await screen.findByRole('button', { name: 'Retry' })
  world.broken.clear()
  await userEvent.click(retry)
  expect(await screen.findByLabelText('Project')).toBeTruthy()
})
