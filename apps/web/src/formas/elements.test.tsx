import { act, fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { element, forma, section } from '../testing/fake-formas.ts'
import type { FormaElement } from '@trellis/contract/formas/forma'
import { toLocalDay } from '../ui/dates/local-day.ts'
import { showForma } from './testing/show-forma.tsx'

const only = (formaElement: FormaElement) => forma('only', [section('part', [formaElement])])
const alerts = () => screen.queryAllByRole('alert').map((alert) => alert.textContent)
const DAY = 86_400_000
const day = (ago: number) => toLocalDay(new Date(Date.now() - ago * DAY))

test('a number says what is wrong with it', async () => {
  const { user, values } = showForma(
    only(element('number', 'port', { label: 'Port', properties: { is_integer: true, min: 1, max: 9 } })),
  )
  const field = screen.getByLabelText('Port')
  await user.type(field, '1.5')
  await user.tab()
  expect(alerts()).toEqual(['Enter a whole number.'])
  await user.clear(field)
  await user.type(field, 'x')
  expect(alerts()).toEqual(['Enter a number.'])
  await user.clear(field)
  await user.type(field, '10')
  expect(alerts()).toEqual(['Enter 9 or less.'])
  await user.clear(field)
  await user.type(field, '7')
  expect(values()).toEqual({ part: { port: 7 } })
})

test('a choice the platform knows is asked for, and written while nobody can be asked', async () => {
  const one = element('select', 'account', { label: 'Account', properties: { options: [], options_from: 'accounts' } })
  const { user, values } = showForma(only(one))
  await screen.findByRole('option', { name: 'Country' })
  await user.selectOptions(screen.getByLabelText('Account'), 'country')
  expect(values()).toEqual({ part: { account: 'country' } })
})

test('without a connection a choice is written', async () => {
  const one = element('select', 'account', { label: 'Account', properties: { options: [], options_from: 'accounts' } })
  const { user, values } = showForma(only(one), { around: { integration: null } })
  await user.type(screen.getByRole('textbox', { name: 'Account' }), '42')
  expect(values()).toEqual({ part: { account: '42' } })
})

test('several can be chosen, up to the most', async () => {
  const options = ['a', 'b', 'c'].map((value) => ({ value, label: value.toUpperCase() }))
  const { user, values } = showForma(
    only(element('multi_select', 'streams', { label: 'Streams', properties: { options, most: 2 } })),
  )
  await user.click(await screen.findByLabelText('A'))
  await user.click(screen.getByLabelText('C'))
  expect(values()).toEqual({ part: { streams: ['a', 'c'] } })
  expect(screen.getByLabelText<HTMLInputElement>('B').disabled).toBe(true)
  await user.click(screen.getByLabelText('A'))
  expect(screen.getByLabelText<HTMLInputElement>('B').disabled).toBe(false)
})

test('yes or no is an answer from the start', async () => {
  const { user, values, form } = showForma(only(element('boolean', 'all', { label: 'All' })))
  expect(form()?.isComplete).toBe(true)
  await user.click(screen.getByRole('switch', { name: 'All' }))
  expect(values()).toEqual({ part: { all: true } })
})

test('a table of any schema is picked from one list and found by its name', async () => {
  const { user, values } = showForma(
    only(element('table_picker', 'table', { label: 'Table', properties: { picks: 'table' } })),
  )
  await user.type(await screen.findByLabelText('Search tables'), 'public.order')
  expect(screen.getAllByRole('radio')).toHaveLength(2)
  await user.click(screen.getByRole('radio', { name: /^orders about/ }))
  expect(values()).toEqual({ part: { table: { schema: 'public', table: 'orders' } } })
})

test('a starting date clears the end and switches it off; a range counts its days', async () => {
  const { user, values } = showForma(only(element('historic_date_range', 'when', { label: 'Data timeframe' })))
  const start = await screen.findByLabelText<HTMLInputElement>('Start date')
  const end = screen.getByLabelText<HTMLInputElement>('End date')
  expect(end.disabled).toBe(true)
  await user.click(screen.getByRole('radio', { name: /^Range of dates/ }))
  expect(end.disabled).toBe(false)
  fireEvent.change(start, { target: { value: day(10) } })
  fireEvent.change(end, { target: { value: day(4) } })
  expect(screen.getByText('7 days')).toBeTruthy()
  await user.click(screen.getByRole('radio', { name: /^Starting date/ }))
  expect(end.disabled).toBe(true)
  expect(end.value).toBe('')
  expect(values()).toEqual({ part: { when: { dataTimeframe: 'startingDate', startDate: day(10), endDate: null } } })
})

test('the date range says each of its problems at the end that has it, after touch', async () => {
  const { user } = showForma(only(element('historic_date_range', 'when', { label: 'Data timeframe' })))
  const start = await screen.findByLabelText<HTMLInputElement>('Start date')
  const end = screen.getByLabelText<HTMLInputElement>('End date')
  await user.click(screen.getByRole('radio', { name: /^Range of dates/ }))
  const enter = (field: HTMLInputElement, value: string) => {
    fireEvent.change(field, { target: { value } })
    fireEvent.blur(field)
  }
  expect(alerts()).toEqual([])
  fireEvent.blur(start)
  expect(alerts()).toEqual(['Required field'])
  enter(start, day(366 * 6))
  expect(alerts()).toEqual(["Start date can't be more than 5 years in the past."])
  enter(start, day(3))
  enter(end, day(5))
  expect(alerts()).toEqual([
    "Start date can't be after the end date.",
    'End date must be after or the same as start date.',
  ])
  enter(end, day(-2))
  expect(alerts()).toEqual(['Both start and end dates must be today or earlier.'])
  enter(end, day(3))
  expect(alerts()).toEqual([])
  expect(screen.getByText('1 day')).toBeTruthy()
})

const dimensions = element('dimensions', 'dimensions', {
  label: 'Dimensions',
  properties: {
    options: ['country', 'device', 'page'].map((value) => ({ value, label: value })),
    events: [{ value: 'purchase', label: 'Purchase' }],
  },
})

test('dimensions go by letters, begin with the date, and each comes once', async () => {
  const { user, values } = showForma(only(dimensions))
  const first = await screen.findByLabelText<HTMLSelectElement>('Dimension A')
  expect(first.value).toBe('date')
  expect(first.disabled).toBe(true)
  expect(screen.queryByRole('button', { name: 'Delete dimension A' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Add dimension' }))
  await user.selectOptions(screen.getByLabelText('Dimension B'), 'country')
  await user.selectOptions(screen.getByLabelText('Action event B'), 'purchase')
  await user.click(screen.getByRole('button', { name: 'Add dimension' }))
  const offered = within(screen.getByLabelText('Dimension C')).getAllByRole('option')
  expect(offered.map((option) => option.textContent)).toEqual(['Choose…', 'device', 'page'])
  await user.click(screen.getByRole('button', { name: 'Delete dimension C' }))
  expect(values()).toEqual({
    part: {
      dimensions: [
        { dimension: 'date', actionEvent: '' },
        { dimension: 'country', actionEvent: 'purchase' },
      ],
    },
  })
})

test('there are nine dimensions at most', async () => {
  const many = Array.from({ length: 12 }, (_, at) => ({ value: `d${at}`, label: `d${at}` }))
  const items = many.slice(0, 8).map(({ value }) => ({ dimension: value, actionEvent: '' }))
  showForma(
    only(element('dimensions', 'dimensions', { label: 'Dimensions', properties: { options: many, events: [] } })),
    {
      kept: { kept: { part: { dimensions: [{ dimension: 'date', actionEvent: '' }, ...items] } } },
    },
  )
  expect(await screen.findByText('9 of 9')).toBeTruthy()
  expect(screen.getByLabelText('Dimension I')).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Add dimension' }).disabled).toBe(true)
})

test('goals are rows, each event once', async () => {
  const options = ['buy', 'sign_up'].map((value) => ({ value, label: value }))
  const { user, values } = showForma(only(element('goals', 'goals', { label: 'Goals', properties: { options } })))
  const add = await screen.findByRole<HTMLButtonElement>('button', { name: 'Add goal' })
  await user.click(add)
  await user.selectOptions(screen.getByLabelText('Goal 1'), 'buy')
  await user.click(add)
  await user.selectOptions(screen.getByLabelText('Goal 2'), 'sign_up')
  expect(add.disabled).toBe(true)
  expect(values()).toEqual({ part: { goals: [{ goalEvent: 'buy' }, { goalEvent: 'sign_up' }] } })
  await user.click(screen.getByRole('button', { name: 'Delete goal 1' }))
  expect(values()).toEqual({ part: { goals: [{ goalEvent: 'sign_up' }] } })
})

test('a query is validated by the server, whose message is shown as success or error', async () => {
  const editor = element('query_editor', 'editor', { label: 'Query', properties: { language: 'gaql' } })
  const { user, values } = showForma(forma('gaql', [section('monacoGaql', [editor])]))
  await user.type(await screen.findByRole('textbox', { name: 'Query' }), 'SELECT campaign.id')
  await user.click(screen.getByRole('button', { name: 'Validate' }))
  expect((await screen.findByRole('alert')).textContent).toBe('Line 1, column 1: FROM is missing.')
  await user.type(screen.getByRole('textbox', { name: 'Query' }), ' FROM campaign')
  expect(screen.getByText('Changed since it was validated.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Validate' }))
  expect(await screen.findByText('The query is valid.')).toBeTruthy()
  expect(values()).toEqual({ monacoGaql: { editor: 'SELECT campaign.id FROM campaign' } })
})

test('a macro is put where the caret stands', async () => {
  const macros = [{ value: 'run_date', label: 'Day of the run' }]
  const { user, values } = showForma(only(element('macro', 'name', { label: 'File name', properties: { macros } })))
  const field = await screen.findByLabelText<HTMLInputElement>('File name')
  await user.type(field, 'orders-.csv')
  field.setSelectionRange(7, 7)
  await user.click(screen.getByRole('button', { name: '{{ run_date }}' }))
  expect(values()).toEqual({ part: { name: 'orders-{{ run_date }}.csv' } })
})

test('what is said of the saved value says nothing about one that was changed since', async () => {
  const one = element('text', 'host', { label: 'Host' })
  const { user, form } = showForma(only(one), { kept: { kept: { part: { host: 'a.example' } } } })
  await user.type(screen.getByLabelText('Host'), 's')
  act(() => form()?.refuseSaved('part.host', 'There is no such host.'))
  expect(alerts()).toEqual([])
  await user.type(screen.getByLabelText('Host'), '{Backspace}')
  act(() => form()?.refuseSaved('part.host', 'There is no such host.'))
  expect(alerts()).toEqual(['There is no such host.'])
})
