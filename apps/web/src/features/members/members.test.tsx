import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { createCompany, invite } from '../../testing/fake-company.ts'
import { account } from '../../testing/fake-world.ts'
import { openApp } from '../../testing/render-app.tsx'

const MEMBERS = '/northwind/settings?tab=members'
const rowTexts = (table: HTMLElement) =>
  within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent)

async function openMenu(user: ReturnType<typeof openApp>['user'], who: string) {
  await user.click(await screen.findByRole('button', { name: `Actions for ${who}` }))
  return screen
    .getAllByRole('menuitem')
    .map((item) => [item.textContent, item.getAttribute('aria-disabled') === 'true'])
}

test('members and invites stand in one list with their status', async () => {
  openApp(MEMBERS)
  const table = await screen.findByRole('table', { name: 'Members' })
  expect(rowTexts(table)).toEqual([
    'ALAda Lovelaceada@example.comFull controlOwner',
    'GHGrace Hoppergrace@example.comFull controlActive',
    'KJKatherine Johnsonkatherine@example.comPartial accessActive',
    'ATAlan Turingalan@example.comPartial accessActive',
    'Ddorothy@example.comPartial accessPending',
    'Eedsger@example.comPartial accessCancelled',
    'Bbarbara@example.comPartial accessDeclined',
  ])
  expect(await screen.findByText('5/10')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Actions for Ada Lovelace' })).toBeNull()
})

test('what can be done depends on the status', async () => {
  const { user } = openApp(MEMBERS)
  expect(await openMenu(user, 'Alan Turing')).toEqual([
    ['Manage', true],
    ['Change role', false],
    ['Remove', false],
  ])
  await user.keyboard('{Escape}')
  expect(await openMenu(user, 'edsger@example.com')).toEqual([
    ['Resend invite', false],
    ['Remove', false],
  ])
})

test('an admin cannot remove another admin', async () => {
  const { user } = openApp(MEMBERS, { accounts: [account('Northwind', ['One'], { role: 'account_admin' })] })
  const items = await openMenu(user, 'Grace Hopper')
  expect(items).toEqual([
    ['Manage', true],
    ['Change roleOnly the owner can change the role of an admin', true],
    ['RemoveOnly the owner can remove an admin', true],
  ])
})

test('with partial access one sees the members and nothing to do', async () => {
  openApp('/riverside-lab/settings?tab=members')
  const table = await screen.findByRole('table', { name: 'Members' })
  expect(rowTexts(table)).toHaveLength(4)
  expect(screen.queryByRole('button', { name: 'Add members' })).toBeNull()
  expect(screen.queryByRole('button', { name: /^Actions for/ })).toBeNull()
})

test.each([
  { seats: { users: 10, users_limit: 10 }, text: 'Users limit reached', isDisabled: true },
  { seats: { users: 90, users_limit: null }, text: null, isDisabled: false },
])('with $seats adding is as the plan allows', async ({ seats, text, isDisabled }) => {
  const company = createCompany()
  Object.assign(company.usage, seats)
  openApp(MEMBERS, { company })
  const add = await screen.findByRole<HTMLButtonElement>('button', { name: 'Add members' })
  await waitFor(() => expect(add.disabled).toBe(isDisabled))
  if (text) expect(await screen.findByText(text)).toBeTruthy()
  else expect(screen.queryByText(/\d+\/\d+/)).toBeNull()
})

test('when the seats cannot be counted nobody is added', async () => {
  openApp(MEMBERS, { broken: new Set(['getUsage']) })
  expect(await screen.findByText('The seats in use could not be loaded')).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Add members' }).disabled).toBe(true)
})

test('a list that cannot be loaded says so and asks again', async () => {
  const { user, world } = openApp(MEMBERS, { broken: new Set(['listMembers']) })
  expect(await screen.findByText('Oops! Something went wrong')).toBeTruthy()
  world.broken.clear()
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByRole('table', { name: 'Members' })).toBeTruthy()
})

test('an invite is sent again', async () => {
  const { user } = openApp(MEMBERS)
  await openMenu(user, 'edsger@example.com')
  await user.click(screen.getByRole('menuitem', { name: 'Resend invite' }))
  expect(await screen.findByText('Invite successfully sent.')).toBeTruthy()
  await waitFor(() => expect(screen.queryByText('Cancelled')).toBeNull())
})

test('an invite that cannot be sent again says so', async () => {
  const { user } = openApp(MEMBERS, { broken: new Set(['resendInvite']) })
  await openMenu(user, 'dorothy@example.com')
  await user.click(screen.getByRole('menuitem', { name: 'Resend invite' }))
  expect(await screen.findByText('Failed to send invite. Please try again.')).toBeTruthy()
})

test('a member is removed after a question, an invite is taken back', async () => {
  const { user, world } = openApp(MEMBERS)
  await openMenu(user, 'Alan Turing')
  await user.click(screen.getByRole('menuitem', { name: 'Remove' }))
  expect(world.company.members).toHaveLength(4)
  await user.click(screen.getByRole('button', { name: 'Remove' }))
  expect(await screen.findByText('Member successfully removed.')).toBeTruthy()
  expect(world.company.members.map((member) => member.profile.first_name)).toEqual(['Ada', 'Grace', 'Katherine'])

  await openMenu(user, 'dorothy@example.com')
  await user.click(screen.getByRole('menuitem', { name: 'Remove' }))
  await user.click(screen.getByRole('button', { name: 'Remove' }))
  await waitFor(() => expect(world.company.invited.map((item) => item.id)).toEqual([12, 13]))
})

test('a role is changed after seeing what that means', async () => {
  const { user, world } = openApp(MEMBERS)
  await openMenu(user, 'Alan Turing')
  await user.click(screen.getByRole('menuitem', { name: 'Change role' }))
  const dialog = await screen.findByRole('dialog', { name: 'Change role of Alan Turing' })
  const review = await within(dialog).findByRole<HTMLButtonElement>('button', { name: 'Review changes' })
  expect(review.disabled, 'nothing chosen yet').toBe(true)
  await user.selectOptions(within(dialog).getByLabelText('Role in Finance'), 'Editor')
  await user.click(within(dialog).getByRole('button', { name: 'Review changes' }))
  expect(await within(dialog).findByText('No access → Editor')).toBeTruthy()
  expect(world.company.access).toEqual({})
  await user.click(within(dialog).getByRole('button', { name: 'Change role' }))
  expect(await screen.findByText('Role successfully changed.')).toBeTruthy()
  expect(Object.values(world.company.access)[0]?.workspace_roles).toHaveLength(1)
})

test('a change of role that fails says why and keeps what was chosen', async () => {
  const { user } = openApp(MEMBERS, { broken: new Set(['planMemberAccess']) })
  await openMenu(user, 'Alan Turing')
  await user.click(screen.getByRole('menuitem', { name: 'Change role' }))
  await user.click(await screen.findByRole('radio', { name: /Full control/ }))
  await user.click(screen.getByRole('button', { name: 'Review changes' }))
  expect(await screen.findByText('The database did not answer.')).toBeTruthy()
  expect(screen.getByRole<HTMLInputElement>('radio', { name: /Full control/ }).checked).toBe(true)
})

test('a removal that fails is told in its dialog', async () => {
  const { user } = openApp(MEMBERS, { broken: new Set(['removeMember']) })
  await openMenu(user, 'Alan Turing')
  await user.click(screen.getByRole('menuitem', { name: 'Remove' }))
  await user.click(screen.getByRole('button', { name: 'Remove' }))
  expect(await screen.findByText('Failed to remove member. Please try again.')).toBeTruthy()
})

test('the Invites tab of the profile answers invites and shows what became of others', async () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
  const { user } = openApp('/profile/invites', {
    company: createCompany({
      invites: [invite(1, 'ada@example.com'), invite(2, 'ada@example.com', { has_expired: true })],
    }),
  })
  expect(await screen.findByText('Pending')).toBeTruthy()
  expect(screen.getByText('Cancelled')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Accept invite' }))
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/workspaces'))
  assign.mockRestore()
})

test('without invites the tab says what would stand there', async () => {
  openApp('/profile/invites')
  expect(await screen.findByRole('heading', { name: 'No invites' })).toBeTruthy()
})
