import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openApp } from '../../../testing/render-app.tsx'
import { createComment, createSparks, type FakeSparks } from '../../../testing/sparks/fake-sparks.ts'
import type { FakeWorld } from '../../../testing/fake-world.ts'

const PATH = '/northwind/growth/sparks/orders'

async function openComments(change: Partial<FakeSparks> = {}, world: Partial<FakeWorld> = {}) {
  const opened = openApp(PATH, { sparks: { ...createSparks(), ...change }, ...world })
  await opened.user.click(await screen.findByRole('button', { name: /^Comments/ }))
  const panel = within(await screen.findByRole('dialog', { name: 'Comments' }))
  return { ...opened, panel }
}

test('the first comment mentions somebody by the keyboard alone', async () => {
  const { user, panel, world, router } = await openComments()
  expect(router.state.location.search).toBe('?comments=1')
  expect(await panel.findByRole('heading', { name: 'No open comments' })).toBeTruthy()
  const field = panel.getByLabelText('New comment')
  const [, person] = world.company.workspaceMembers.map(({ profile }) => profile)
  const name = `${person?.first_name} ${person?.surname}`
  await user.type(field, `Look, @${person?.surname.slice(0, 3)}`)
  const option = await panel.findByRole('option', { name: new RegExp(name) })
  expect(field.getAttribute('aria-activedescendant')).toBe(option.id)
  await user.keyboard('{Enter}please{Control>}{Enter}{/Control}')
  const comment = await panel.findByRole('listitem', { name: 'Comment by Ada Lovelace' })
  expect(within(comment).getByText(`@${name}`)).toBeTruthy()
  expect(world.sparks.comments).toMatchObject([
    { text: `Look, @${name} please`, mentions: [{ trellis_user_code: person?.trellis_user_code }] },
  ])
  expect((field as HTMLTextAreaElement).value).toBe('')
  expect(await screen.findByRole('button', { name: 'Comments (1)', hidden: true })).toBeTruthy()
})

test('a comment sent before the people are there still tells who it names', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { user, panel, world } = await openComments({}, { late: new Map([['listWorkspaceMembers', promise]]) })
  const [, person] = world.company.workspaceMembers.map(({ profile }) => profile)
  const text = `Look, @${person?.first_name} ${person?.surname}`
  await user.type(panel.getByLabelText('New comment'), `${text}{Control>}{Enter}{/Control}`)
  expect(panel.getByRole('button', { name: 'Comment' }).getAttribute('aria-busy')).toBe('true')
  expect(world.sparks.comments).toEqual([])
  resolve()
  await panel.findByRole('listitem', { name: 'Comment by Ada Lovelace' })
  expect(world.sparks.comments).toMatchObject([{ text, mentions: [{ trellis_user_code: person?.trellis_user_code }] }])
})

test('Escape closes the list of people before the panel, and arrows move in it', async () => {
  const { user, panel } = await openComments()
  const field = panel.getByLabelText('New comment')
  await user.type(field, '@')
  const options = await panel.findAllByRole('option')
  expect(options.length).toBeGreaterThan(1)
  await user.keyboard('{ArrowDown}')
  expect(field.getAttribute('aria-activedescendant')).toBe(options[1]?.id)
  await user.keyboard('{Escape}')
  expect(panel.queryByRole('listbox')).toBeNull()
  expect(screen.getByRole('dialog', { name: 'Comments' })).toBeTruthy()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Comments' })).toBeNull())
})

test('text is shown as it was written, and who left is shown as such', async () => {
  const text = '<img src=x onerror=alert(1)> @Grace Hopper'
  const grace = { trellis_user_code: 'u-gone', name: 'Grace Hopper', is_member: false }
  const { panel } = await openComments({ comments: [createComment('c1', { text, author: grace, mentions: [grace] })] })
  const comment = within(await panel.findByRole('listitem', { name: 'Comment by Grace Hopper' }))
  expect(comment.getByText(/<img src=x onerror=alert\(1\)>/)).toBeTruthy()
  expect(comment.getByText('Removed member')).toBeTruthy()
  expect(comment.getByText('@Grace Hopper (removed member)')).toBeTruthy()
})

test('a comment is resolved, shown again and reopened; one of my own is changed', async () => {
  const { user, panel, world } = await openComments({ comments: [createComment('c1', { is_mine: true })] })
  await user.click(await panel.findByRole('button', { name: 'Resolve' }))
  expect(await panel.findByRole('heading', { name: 'No open comments' })).toBeTruthy()
  await user.click(panel.getByLabelText('Show resolved'))
  await user.click(await panel.findByRole('button', { name: 'Reopen' }))
  expect(await panel.findByRole('button', { name: 'Resolve' })).toBeTruthy()
  await user.click(panel.getByRole('button', { name: 'Edit' }))
  const field = panel.getByLabelText('Change comment')
  await user.clear(field)
  await user.type(field, 'Better')
  await user.click(panel.getByRole('button', { name: 'Save' }))
  expect(await panel.findByText('Better')).toBeTruthy()
  expect(panel.getByText(/edited/)).toBeTruthy()
  expect(world.sparks.comments[0]?.text).toBe('Better')
})

test('a comment is deleted only after a question, whose safe answer has the focus', async () => {
  const { user, panel, world } = await openComments({ comments: [createComment('c1')] })
  expect(await panel.findByRole('listitem')).toBeTruthy()
  expect(panel.queryByRole('button', { name: 'Edit' })).toBeNull()
  await user.click(panel.getByRole('button', { name: 'Delete' }))
  expect(document.activeElement?.textContent).toBe('Keep')
  await user.click(panel.getByRole('button', { name: 'Delete comment' }))
  await waitFor(() => expect(world.sparks.comments).toEqual([]))
})

test('older comments come by a button', async () => {
  const comments = ['c3', 'c2', 'c1'].map((code) => createComment(code))
  const { user, panel } = await openComments({ comments, commentsPage: 2 })
  expect(await panel.findAllByRole('listitem')).toHaveLength(2)
  await user.click(panel.getByRole('button', { name: 'Show older comments' }))
  await waitFor(() => expect(panel.getAllByRole('listitem')).toHaveLength(3))
  expect(panel.queryByRole('button', { name: 'Show older comments' })).toBeNull()
})

test('comments and people that could not be loaded are said to be, and a comment that could not be sent stays', async () => {
  const broken = new Set(['listSparkComments', 'createSparkComment', 'listWorkspaceMembers'])
  const { user, panel, world } = await openComments({}, { broken })
  expect(await panel.findByRole('heading', { name: 'The comments could not be loaded' })).toBeTruthy()
  expect(await panel.findByText(/nobody can be mentioned now/)).toBeTruthy()
  const field = panel.getByLabelText('New comment')
  await user.type(field, 'Hello')
  await user.click(panel.getByRole('button', { name: 'Comment' }))
  expect(await screen.findByText(/The comment could not be sent/)).toBeTruthy()
  expect((field as HTMLTextAreaElement).value).toBe('Hello')
  world.broken.clear()
  await user.click(panel.getByRole('button', { name: /Try again|Retry/ }))
  expect(await panel.findByRole('heading', { name: 'No open comments' })).toBeTruthy()
})
