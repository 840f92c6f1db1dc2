import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { openFrame, toContent, toRows } from './testing/fake-page.tsx'

const from = { source: 'orders', title: 'Orders', width: 'full' }
const begin = (frame: ReturnType<typeof openFrame>, values = {}, isFrozen = false) => {
  frame.draw()
  act(() => void frame.start(values, isFrozen))
}

test('a number with its change', async () => {
  const rows = toRows({ revenue: 'decimal', before: 'decimal' }, [['120', '100']])
  begin(
    openFrame(toContent([{ kind: 'number', ...from, column: 'revenue', compare_column: 'before' }]), { orders: rows }),
  )
  expect(await screen.findByText('120')).toBeTruthy()
  expect(screen.getByText(/20.0%/).textContent).toContain('up')
})

test('a table is searched and sorted', async () => {
  const rows = toRows({ city: 'text', orders: 'integer' }, [
    ['Oslo', '9'],
    ['Rome', '10'],
    ['Bonn', null],
  ])
  const user = userEvent.setup()
  begin(openFrame(toContent([{ kind: 'table', ...from, columns: [] }]), { orders: rows }))
  const cells = () => screen.getAllByRole('row').map((row) => within(row).queryAllByRole('cell')[0]?.textContent)
  await user.click(await screen.findByRole('button', { name: 'orders' }))
  expect(cells().slice(1)).toEqual(['Rome', 'Oslo', 'Bonn'])
  await user.type(screen.getByRole('searchbox'), 'os')
  expect(cells().slice(1)).toEqual(['Oslo'])
})

test('funnel, cohorts, metric tree, checks and map are drawn from their rows', async () => {
  const content = toContent(
    [
      { kind: 'funnel', ...from, source: 'steps', step_column: 'step', value_column: 'people' },
      { kind: 'cohort', ...from, source: 'groups', group_column: 'g', period_column: 'p', value_column: 'n' },
      { kind: 'metric_tree', ...from, source: 'tree', name_column: 'm', parent_column: 'of', value_column: 'v' },
      { kind: 'checks', ...from, source: 'checks', name_column: 'c', failed_column: 'f', total_column: 't' },
      { kind: 'map', ...from, source: 'places', latitude_column: 'lat', longitude_column: 'lon', label_column: 'city' },
    ].map((block) => ({ compare_column: null, label_column: null, value_column: null, ...block })),
    {
      sources: ['steps', 'groups', 'tree', 'checks', 'places'].map((key) => ({
        key,
        name: key,
        integration_trellis_code: 'x-db',
        sql: 'select 1',
        max_age_seconds: 0,
      })),
    },
  )
  begin(
    openFrame(content, {
      steps: toRows({ step: 'text', people: 'integer' }, [
        ['Visit', '200'],
        ['Buy', '50'],
      ]),
      groups: toRows({ g: 'text', p: 'integer', n: 'integer' }, [
        ['Jan', '0', '10'],
        ['Jan', '10', '2'],
        ['Jan', '2', '5'],
      ]),
      tree: toRows({ m: 'text', of: 'text', v: 'integer' }, [
        ['Revenue', null, '100'],
        ['Online', 'Revenue', '80'],
      ]),
      checks: toRows({ c: 'text', f: 'integer', t: 'integer' }, [
        ['id is filled', '0', '10'],
        ['id is unique', '3', '10'],
      ]),
      places: toRows({ lat: 'decimal', lon: 'decimal', city: 'text' }, [
        ['59.9', '10.7', 'Oslo'],
        ['95', '0', 'Nowhere'],
      ]),
    }),
  )
  expect(await screen.findAllByText('25.0%')).toHaveLength(2)
  const cohorts = await screen.findByRole('group', { name: 'Cohorts' })
  expect(
    within(cohorts)
      .getAllByRole('columnheader')
      .map((cell) => cell.textContent),
  ).toEqual(['g', 'n', '0', '2', '10'])
  expect(within(cohorts).getByText('50%')).toBeTruthy()
  expect(await screen.findByText('80% of the metric above')).toBeTruthy()
  expect(await screen.findByText('1 of 2 checks pass.')).toBeTruthy()
  expect(await screen.findByRole('img', { name: /Map with 1 place/ })).toBeTruthy()
  expect(screen.getByText('1 row without a place on the map.')).toBeTruthy()
})

test('no rows, a missing column, a failed query and stale rows are said', async () => {
  const frame = openFrame(
    toContent([
      { kind: 'table', ...from, columns: [] },
      { kind: 'number', ...from, title: 'Broken', source: 'broken', column: 'n', compare_column: null },
      { kind: 'number', ...from, title: 'Lost', source: 'lost', column: 'gone', compare_column: null },
    ]),
    {
      orders: { ...toRows({ n: 'integer' }, []), stale_since: '2026-11-15T08:00:00.000Z' },
      lost: toRows({ n: 'integer' }, [['1']]),
      broken: 'The column was renamed.',
    },
  )
  begin(frame)
  expect(await screen.findByText('No rows.')).toBeTruthy()
  expect(screen.getByText(/Stale since/)).toBeTruthy()
  expect(await screen.findByText('The column was renamed.')).toBeTruthy()
  expect(await screen.findByText('The rows have no column “gone”.')).toBeTruthy()
})

test('a filter is told to the page and only the sources that use it are read again', async () => {
  const parameters = [{ key: 'country', label: 'Country', type: 'text', initial: null, options_from: 'countries' }]
  const sources = [
    { key: 'orders', sql: 'select n from o where country = :country::text' },
    { key: 'countries', sql: 'select country from o' },
  ].map((source) => ({ name: source.key, integration_trellis_code: 'x-db', max_age_seconds: 0, ...source }))
  const content = toContent(
    [
      { kind: 'filters', width: 'full', parameters: [] },
      { kind: 'number', ...from, column: 'n', compare_column: null },
    ],
    { sources, parameters } as object,
  )
  const frame = openFrame(content, {
    orders: toRows({ n: 'integer' }, [['7']]),
    countries: toRows({ country: 'text' }, [['NO'], ['IT']]),
  })
  begin(frame, { country: null })
  await screen.findByText('7')
  await screen.findByRole('option', { name: 'IT' })
  await userEvent.selectOptions(screen.getByLabelText('Country'), 'IT')
  await vi.waitFor(() => expect(frame.heard).toContainEqual({ kind: 'parameters', parameters: { country: 'IT' } }))
  await vi.waitFor(() =>
    expect(frame.heard.filter(({ kind }) => kind === 'read').map((read) => 'source' in read && read.source)).toEqual([
      'countries',
      'orders',
      'orders',
    ]),
  )
})

test('an exported file shows its values without fields', async () => {
  const parameters = [{ key: 'country', label: 'Country', type: 'text', initial: null, options_from: null }]
  const content = toContent([{ kind: 'filters', width: 'full', parameters: [] }], { parameters } as object)
  begin(openFrame(content), { country: 'NO' }, true)
  expect(await screen.findByText('NO')).toBeTruthy()
  expect(screen.queryByLabelText('Country')).toBeNull()
})

test('code draws with the same components and gets rows as objects', async () => {
  const code = `
    const { objects } = await spark.rows('orders')
    const line = document.createElement('p')
    line.textContent = 'Sum ' + objects.reduce((sum, row) => sum + row.n, 0)
    const box = document.createElement('div')
    spark.root.append(line, box)
    spark.render(box, { kind: 'number', source: 'orders', column: 'n' })`
  const frame = openFrame(toContent([], { body: { kind: 'code', code } }), {
    orders: toRows({ n: 'integer' }, [['40'], ['2']]),
  })
  begin(frame)
  expect(await screen.findByText('Sum 42')).toBeTruthy()
  expect(await screen.findByText('40')).toBeTruthy()
})

test('code that throws is told to the reader and to the page', async () => {
  const frame = openFrame(toContent([], { body: { kind: 'code', code: 'throw new Error("no such thing")' } }))
  begin(frame)
  expect((await screen.findByRole('alert')).textContent).toContain('no such thing')
  expect(frame.heard).toContainEqual({ kind: 'failed', message: 'no such thing' })
})

test('messages of others and messages that are none are dropped', async () => {
  const frame = openFrame(toContent([{ kind: 'heading', width: 'full', text: 'Ours' }]))
  frame.draw()
  act(() => {
    frame.send({ kind: 'start', content: toContent([]), parameters: {}, theme: {} }, window)
    frame.send({ kind: 'start', content: 'none' })
    frame.send({ kind: 'ping' }, window)
  })
  expect(frame.host.getState()).toBeNull()
  expect(frame.heard.filter(({ kind }) => kind === 'pong')).toEqual([])
  act(() => void frame.start())
  expect(await screen.findByRole('heading', { name: 'Ours' })).toBeTruthy()
  frame.send({ kind: 'ping' })
  expect(frame.heard).toContainEqual({ kind: 'pong' })
})
