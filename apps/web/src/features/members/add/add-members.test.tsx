import { screen, waitFor, within, type BoundFunctions, type queries } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createCompany } from '../../../testing/fake-company.ts'
import { openApp } from '../../../testing/render-app.tsx'

type User = ReturnType<typeof openApp>['user']

async function openWizard(change: Parameters<typeof openApp>[1] = {}) {
  const app = openApp('/northwind/settings?tab=members', change)
  const add = await screen.findByRole<HTMLButtonElement>('button', { name: 'Add members' })
  await waitFor(() => expect(add.disabled).toBe(false))
  await app.user.click(add)
  const dialog = within(await screen.findByRole('dialog', { name: 'Add members' }))
  return { ...app, dialog }
}

const button = (dialog: BoundFunctions<typeof queries>, name: string | RegExp) =>
  dialog.getByRole<HTMLButtonElement>('button', { name })

async function typeEmails(user: User, text: string) {
  await user.type(await screen.findByLabelText('Email addresses'), text)
}

test('addresses become chips; a wrong one is named and holds everything up', async () => {
  const { user, dialog } = await openWizard()
  await typeEmails(user, 'kurt@example.com, nonsense ')
  expect(await dialog.findByText('Invalid email address')).toBeTruthy()
  expect(dialog.getByText('Please add a valid email address.')).toBeTruthy()
  expect(button(dialog, 'Next').disabled).toBe(true)
  await user.click(button(dialog, 'Remove nonsense'))
  expect(dialog.queryByText('Invalid email address')).toBeNull()
  expect(button(dialog, 'Next').disabled).toBe(false)
  await user.type(dialog.getByLabelText('Email addresses'), '{Backspace}')
  expect(button(dialog, 'Next').disabled).toBe(true)
})

test('leaving the field moves nothing; going on takes what was typed, and a wrong address is told then', async () => {
  const { user, dialog } = await openWizard()
  await typeEmails(user, 'kurt')
  await user.tab()
  expect(dialog.queryByRole('button', { name: 'Remove kurt' })).toBeNull()
  await user.click(button(dialog, 'Next'))
  expect(await dialog.findByText('Invalid email address')).toBeTruthy()
  await user.click(button(dialog, 'Remove kurt'))
  await typeEmails(user, 'kurt@example.com')
  await user.click(button(dialog, 'Next'))
  expect(await dialog.findByLabelText(/Full control/)).toBeTruthy()
})

test('a pasted list is taken apart', async () => {
  const { user, dialog } = await openWizard()
  await user.click(dialog.getByLabelText('Email addresses'))
  await user.paste('a@example.com;b@example.com\nc@example.com')
  expect(dialog.getAllByRole('button', { name: /^Remove .*@/ })).toHaveLength(3)
})

test('full control is two steps, and everybody hears', async () => {
  const { user, dialog, world } = await openWizard()
  await typeEmails(user, 'kurt@example.com{Enter}')
  await user.click(button(dialog, 'Next'))
  expect(button(dialog, 'Next').disabled).toBe(true)
  await user.click(dialog.getByLabelText(/Full control/))
  await user.click(button(dialog, 'Add members'))
  expect(await dialog.findByText('Invite Sent')).toBeTruthy()
  expect(await screen.findByText('Members successfully added. Confirmation emails sent.')).toBeTruthy()
  expect(world.company.invited[0]).toMatchObject({ profile_email: 'kurt@example.com', account_role_id: 2 })
  await user.click(dialog.getByText('Close'))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('partial access needs at least one workspace; one role can be given to all', async () => {
  const { user, dialog } = await openWizard()
  await typeEmails(user, 'kurt@example.com{Enter}')
  await user.click(button(dialog, 'Next'))
  await user.click(dialog.getByLabelText(/Partial access/))
  await user.click(button(dialog, 'Next'))
  expect(button(dialog, 'Add members').disabled).toBe(true)
  const roleIn = (name: string) => dialog.getByLabelText<HTMLSelectElement>(`Role in ${name}`)
  await user.selectOptions(dialog.getByLabelText('Role in all workspaces'), 'Editor')
  expect(['Growth', 'Finance', 'Supply chain'].map((name) => roleIn(name).value)).toEqual(['2', '2', '2'])
  await user.selectOptions(roleIn('Finance'), 'No access')
  expect(dialog.getByLabelText<HTMLSelectElement>('Role in all workspaces').value).toBe('differ')
  const database = dialog.getByRole<HTMLFieldSetElement>('group', { name: 'Database permissions' })
  expect(database.disabled).toBe(true)
  await user.click(button(dialog, 'Add members'))
  expect(await dialog.findByText('Invite Sent')).toBeTruthy()
})

test('each address gets its answer, and those that failed are sent again together', async () => {
  const refusedInvites = {
    'grace@example.com': 'This person is a member already.',
    'alan@example.com': 'Users limit reached',
  }
  const { user, dialog, world } = await openWizard({ company: createCompany({ refusedInvites }) })
  await typeEmails(user, 'kurt@example.com grace@example.com alan@example.com ')
  await user.click(button(dialog, 'Next'))
  await user.click(dialog.getByLabelText(/Full control/))
  await user.click(button(dialog, 'Add members'))
  expect(await dialog.findByText('Invites Errors')).toBeTruthy()
  expect(
    dialog.getByText('Some email were not able to be invited. Click the button below to retry sending the emails.'),
  ).toBeTruthy()
  expect(
    within(dialog.getByRole('table', { name: 'Results' }))
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.textContent),
  ).toEqual([
    'kurt@example.comInvite Sent',
    'grace@example.comThis person is a member already.',
    'alan@example.comUsers limit reached',
  ])
  world.company.refusedInvites = {}
  await user.click(button(dialog, 'Resend 2 invites'))
  expect(await screen.findByText('Members successfully added. Confirmation emails sent.')).toBeTruthy()
  expect(dialog.getAllByText('Invite Sent')).toHaveLength(3)
})

test('a call that fails as a whole brings the form back with a word about it', async () => {
  const { user, dialog } = await openWizard({ broken: new Set(['inviteMembers']) })
  await typeEmails(user, 'kurt@example.com{Enter}')
  await user.click(button(dialog, 'Next'))
  await user.click(dialog.getByLabelText(/Full control/))
  await user.click(button(dialog, 'Add members'))
  expect(await dialog.findByText('Something went wrong, try again!')).toBeTruthy()
  expect(button(dialog, 'Add members').disabled).toBe(false)
})

test('without the roles nothing can be chosen, and they can be asked for again', async () => {
  const { user, dialog, world } = await openWizard({ broken: new Set(['listWorkspaceRoles']) })
  expect(await dialog.findByText('Something went wrong, try again!')).toBeTruthy()
  world.broken.clear()
  await user.click(button(dialog, 'Retry'))
  expect(await dialog.findByLabelText('Email addresses')).toBeTruthy()
})
