import { CRON_DAYS_MESSAGE, CRON_FIELDS, CRON_FORMAT_MESSAGE } from '@trellis/contract/dataflows/cron'
import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openSetup } from '../testing/open-setup.ts'

const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

const card = (number: number) => screen.getByRole('region', { name: `Trigger ${number}` })
const section = () => screen.getByRole('region', { name: 'Trigger details' })
const add = () => screen.getByRole('button', { name: 'Add action' })
const scope = () => screen.getByLabelText('Scope')
const label = (text: string | RegExp) => screen.getByLabelText(text)

async function open(start: 'Or' | 'And' = 'Or') {
  const app = await openSetup({ kind: 'Transformation' })
  await waitFor(() => expect(scope()).toHaveProperty('disabled', false))
  await app.user.selectOptions(scope(), start)
  await app.user.click(add())
  return app
}

async function openSchedule(type: string) {
  const app = await open()
  await app.user.selectOptions(label('Schedule type'), type)
  return app
}

async function enter(user: UserEvent, field: HTMLElement, text: string) {
  await user.clear(field)
  if (text) await user.paste(text)
  await user.tab()
}

test('the section says what the product says, and offers nothing without a scope', async () => {
  await openSetup({ kind: 'Transformation' })
  const options = within(scope()).getAllByRole('option')
  expect(options.map(({ textContent }) => textContent)).toEqual(['No trigger', 'Any action (OR)', 'All actions (ALL)'])
  expect(add()).toHaveProperty('disabled', true)
})

test('cards are numbered, joined by the scope, and all but the last can be taken away', async () => {
  const { user } = await open()
  expect(within(card(1)).getByRole('button', { name: 'Delete trigger 1' })).toHaveProperty('disabled', true)
  await user.click(add())
  expect(within(section()).getByText('OR')).toBeTruthy()
  await user.selectOptions(scope(), 'And')
  expect(within(section()).getByText('AND')).toBeTruthy()
  await user.click(within(card(1)).getByRole('button', { name: 'Delete trigger 1' }))
  expect(screen.queryByRole('region', { name: 'Trigger 2' })).toBeNull()
  expect(within(card(1)).getByLabelText('Action')).toHaveProperty('value', 'Activity')
})

test('only one schedule, each activity once, and no more cards than there is to choose', async () => {
  const { user } = await open()
  await user.click(add())
  const kinds = within(within(card(2)).getByLabelText('Action')).getAllByRole('option')
  expect(kinds.map(({ textContent }) => textContent)).toEqual(['Activity'])
  await user.selectOptions(within(card(2)).getByLabelText('Activity'), 'b-orders')
  await user.click(add())
  const activities = within(within(card(3)).getByLabelText('Activity')).getAllByRole('option')
  expect(activities.map(({ textContent }) => textContent)).toEqual(['Choose an activity…', 'Ad spend (source)'])
  await user.selectOptions(within(card(3)).getByLabelText('Activity'), 'b-spend')
  expect(add()).toHaveProperty('disabled', true)
})

test('without a trigger all actions are gone and the form is complete', async () => {
  const { user, block } = await open()
  await user.selectOptions(scope(), 'NO_TRIGGER')
  expect(screen.queryByRole('region', { name: 'Trigger 1' })).toBeNull()
  expect(add()).toHaveProperty('disabled', true)
  await screen.findByText('Saved')
  expect(block().settings.trigger).toEqual({ eventEvaluationType: 'NO_TRIGGER', actions: {}, isFormaComplete: true })
})

test('an activity and a schedule type are required, once one has been there', async () => {
  const { user } = await open()
  expect(screen.queryByText('Required field')).toBeNull()
  label('Schedule type').focus()
  await user.tab()
  expect(within(card(1)).getByText('Required field')).toBeTruthy()
  await user.selectOptions(label('Action'), 'Activity')
  expect(screen.queryByText('Required field')).toBeNull()
  label('Activity').focus()
  await user.tab()
  expect(within(card(1)).getByText('Required field')).toBeTruthy()
})

test('changing the type of a schedule empties it', async () => {
  const { user } = await openSchedule('Cron Schedule')
  await enter(user, label('Cron expression'), '0 6 * * ? *')
  await user.selectOptions(label('Schedule type'), 'List Schedule')
  await user.selectOptions(label('Schedule type'), 'Cron Schedule')
  expect(label('Cron expression')).toHaveProperty('value', '')
})

test('every message of a cron expression', async () => {
  const { user } = await openSchedule('Cron Schedule')
  const field = label('Cron expression')
  const said = async (text: string, message: string) => {
    await enter(user, field, text)
    expect(within(card(1)).getByText(message)).toBeTruthy()
  }
  field.focus()
  await user.tab()
  expect(within(card(1)).getByText('Required field')).toBeTruthy()
  await said('0 6 * *', CRON_FORMAT_MESSAGE)
  await said('a 6 * * ? *', CRON_FORMAT_MESSAGE)
  const wrong = ['60 6 * * ? *', '0 24 * * ? *', '0 6 32 * ? *', '0 6 * 13 ? *', '0 6 * * 8 *', '0 6 * * ? 1969']
  for (const [at, text] of wrong.entries()) await said(text, CRON_FIELDS[at]?.message ?? '')
  await said('0 6 1 * 1 *', CRON_DAYS_MESSAGE)
  expect(label('Time standard')).toHaveProperty('value', OWN_ZONE)
})

test('the six fields of a cron expression are told in words and can be changed one by one', async () => {
  const { user } = await openSchedule('Cron Schedule')
  await enter(user, label('Cron expression'), '30 6 ? * 1-5 *')
  expect(screen.getByText('on Monday to Friday')).toBeTruthy()
  await user.type(label('Hour'), '7')
  expect(label('Cron expression')).toHaveProperty('value', '30 7 ? * 1-5 *')
  await user.selectOptions(label('Time standard'), 'UTC')
  expect(await screen.findByText('As the cron schedule says')).toBeTruthy()
  expect(screen.getByRole('list', { name: 'Next due times' }).textContent).toContain(
    'Monday, 2 March 2026 at 06:00 UTC',
  )
})

test('both parts of an interval are required, and not both may be zero', async () => {
  const { user } = await openSchedule('Interval Schedule')
  for (const name of ['Hours', 'Minutes']) {
    label(name).focus()
    await user.tab()
  }
  expect(within(card(1)).getAllByText('Required field')).toHaveLength(2)
  await user.selectOptions(label('Hours'), '0')
  await user.selectOptions(label('Minutes'), '0')
  expect(within(card(1)).getAllByText('At least one interval must be selected')).toHaveLength(2)
  await user.selectOptions(label('Minutes'), '20')
  expect(screen.queryByText('At least one interval must be selected')).toBeNull()
})

test('every message of a list', async () => {
  const { user } = await openSchedule('List Schedule')
  const field = label('Run at')
  await enter(user, field, '')
  expect(screen.getByText('This field is required')).toBeTruthy()
  await enter(user, field, '6, 24')
  expect(screen.getByText('Must be a comma-separated list of numbers between 0 and 23')).toBeTruthy()
  await enter(user, field, '6, 6')
  expect(screen.getByText('Values must not repeat')).toBeTruthy()
  expect(label('Timezone')).toHaveProperty('value', OWN_ZONE)
})

test('select all follows the seven days, and a list without a day is not complete', async () => {
  const { user, block } = await openSchedule('List Schedule')
  const all = screen.getByRole('checkbox', { name: 'Select all' })
  await user.click(all)
  expect(screen.getByRole('checkbox', { name: 'Sunday' })).toHaveProperty('checked', true)
  await user.click(screen.getByRole('checkbox', { name: 'Sunday' }))
  expect(all).toHaveProperty('checked', false)
  await user.click(screen.getByRole('checkbox', { name: 'Sunday' }))
  expect(all).toHaveProperty('checked', true)
  await user.click(all)
  await user.tab()
  expect(screen.getByText('Select at least one day')).toBeTruthy()
  await enter(user, label('Run at'), '6')
  await user.selectOptions(label('Timezone'), 'UTC')
  await screen.findByText('Saved')
  expect(block().settings.trigger.isFormaComplete).toBe(false)
  await user.click(all)
  await waitFor(() => expect(block().settings.trigger.isFormaComplete).toBe(true))
})

test('with OR an empty card may stay, with ALL it may not', async () => {
  const { user, block } = await open()
  await user.selectOptions(label('Schedule type'), 'Interval Schedule')
  await user.selectOptions(label('Hours'), '1')
  await user.selectOptions(label('Minutes'), '0')
  await user.click(add())
  await waitFor(() => expect(Object.keys(block().settings.trigger.actions)).toHaveLength(2))
  expect(block().settings.trigger.isFormaComplete).toBe(true)
  await user.selectOptions(scope(), 'And')
  await waitFor(() => expect(block().settings.trigger.eventEvaluationType).toBe('And'))
  expect(block().settings.trigger.isFormaComplete).toBe(false)
})
