import AxeBuilder from '@axe-core/playwright'
import { givePerson, giveView, signIn } from '../../harness/people.ts'
import { giveProject, giveSpark } from '../../harness/sparks.ts'
import { expect, test } from '../../harness/test.ts'

const NAME = 'Orders of the shop'

test('somebody is mentioned in a comment by keyboard, follows the bell, answers, and the comment is resolved', async ({
  page,
  person,
  visitor,
  request,
}) => {
  test.slow()
  const givenProject = await giveProject(request, person)
  const other = await givePerson()
  await giveView(other, givenProject.account, 'shop')
  const content = {
    sources: [],
    parameters: [],
    body: { kind: 'blocks', blocks: [{ kind: 'heading', text: 'Orders' }] },
  }
  const code = await giveSpark(request, givenProject, { name: NAME, content })
  await signIn(page, person, `${givenProject.sparks}/${code}`)
  const panel = page.getByRole('dialog', { name: 'Comments' })

  await test.step('of two people with one name the one with this e-mail is mentioned', async () => {
    await page.getByRole('button', { name: 'Comments', exact: true }).press('Enter')
    await expect(panel.getByRole('heading', { name: 'No open comments' })).toBeVisible()
    await panel.getByLabel('New comment').focus()
    await page.keyboard.type(`<b>Why</b> so few, @${other.email.slice(0, 12)}`)
    await expect(panel.getByRole('option')).toHaveCount(1)
    await expect(panel.getByRole('option', { name: other.email })).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Enter')
    await expect(panel.getByLabel('New comment')).toHaveValue('<b>Why</b> so few, @Ada Lovelace ')
    await page.keyboard.type('?')
    await page.keyboard.press('Control+Enter')
    const comment = panel.getByRole('listitem', { name: 'Comment by Ada Lovelace' })
    await expect(comment.getByText('<b>Why</b> so few,')).toBeVisible()
    await expect(panel.getByLabel('New comment')).toHaveValue('')
    const { violations } = await new AxeBuilder({ page }).include('dialog').analyze()
    expect(violations).toEqual([])
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Comments (1)', exact: true })).toBeFocused()
  })

  await test.step('the bell of the other leads to the comment, and an answer is written on a phone', async () => {
    await visitor.setViewportSize({ width: 390, height: 844 })
    await signIn(visitor, other, `${givenProject.sparks}/${code}`)
    await visitor.getByRole('button', { name: 'Notifications, 1 unread', exact: true }).click()
    const bell = visitor.getByRole('dialog', { name: 'Notifications' })
    await expect(bell.getByText('<b>Why</b> so few, @Ada Lovelace ?')).toBeVisible()
    await bell.getByRole('link', { name: `Ada Lovelace mentioned you in "${NAME}"` }).click()
    const theirs = visitor.getByRole('dialog', { name: 'Comments' })
    await expect(theirs.getByText('@Ada Lovelace', { exact: true })).toBeVisible()
    await expect(theirs.getByRole('button', { name: 'Delete', exact: true })).toHaveCount(0)
    await expect(theirs.getByRole('button', { name: 'Resolve', exact: true })).toHaveCount(0)
    await theirs.getByLabel('New comment').fill('It was a holiday.')
    await theirs.getByRole('button', { name: 'Comment', exact: true }).click()
    await expect(theirs.getByRole('listitem')).toHaveCount(2)
  })

  await test.step('both comments are there after a reload; one is resolved, one deleted', async () => {
    await page.goto(`${givenProject.sparks}/${code}?comments=1`)
    await expect(panel.getByRole('listitem')).toHaveCount(2)
    const answer = panel.getByRole('listitem').filter({ hasText: 'It was a holiday.' })
    await answer.getByRole('button', { name: 'Resolve', exact: true }).click()
    await expect(panel.getByRole('listitem')).toHaveCount(1)
    await panel.getByLabel('Show resolved').check()
    await expect(answer.getByText('Resolved', { exact: true })).toBeVisible()
    const own = panel.getByRole('listitem').filter({ hasText: 'so few' })
    await own.getByRole('button', { name: 'Delete', exact: true }).click()
    await own.getByRole('button', { name: 'Delete comment' }).click()
    await expect(panel.getByRole('listitem')).toHaveCount(1)
    await visitor.reload()
    await expect(visitor.getByRole('dialog', { name: 'Comments' })).toBeVisible()
    await visitor.getByRole('dialog', { name: 'Comments' }).getByRole('button', { name: 'Close' }).click()
    await visitor.getByRole('button', { name: 'Notifications', exact: true }).click()
    await expect(visitor.getByRole('heading', { name: 'Nothing new' })).toBeVisible()
  })
})
