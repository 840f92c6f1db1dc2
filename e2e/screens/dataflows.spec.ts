import { giveAccount } from '../harness/people.ts'
import { expect, test } from '../harness/test.ts'
import { enterDark } from './enter.ts'
import { DESK, photograph } from './photograph.ts'

test('dataflows: none yet, an empty canvas, blocks on it and as a list, the list of dataflows', async ({
  page,
  person,
}) => {
  test.slow()
  const code = await giveAccount(person)
  await enterDark(page, person)
  await page.goto(`/${code}/marketing/dataflows`)
  await expect(page.getByRole('heading', { name: 'No dataflows yet' })).toBeVisible()
  await photograph(page, 'dataflows-none')
  await page.getByRole('button', { name: 'Create dataflow' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Daily revenue')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('button', { name: 'Add an empty block' }).click()
  await expect(page.getByRole('button', { name: 'Choose later' })).toBeVisible()
  await photograph(page, 'dataflows-add-block')
  await page.getByRole('button', { name: 'Choose later' }).click()
  const source = page.getByRole('group', { name: /^Source Source/ })
  await source.focus()
  await page.keyboard.press('+')
  await page.getByRole('button', { name: /^SQL/ }).click()
  await expect(page.getByRole('group', { name: /^Transformation Transformation/ })).toBeVisible()
  await source.focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+g')
  await page.getByLabel('Name', { exact: true }).fill('Shop')
  await page.getByLabel('Note').fill('What the shop **sold**, every night.')
  await page.getByRole('dialog').getByRole('button', { name: 'Group' }).click()
  await expect(page.getByRole('group', { name: /^Group Shop/ })).toBeVisible()
  await photograph(page, 'dataflows-canvas')
  await source.focus()
  await page.keyboard.press('c')
  await expect(page.getByRole('dialog', { name: 'Arrows of Source' })).toBeVisible()
  await photograph(page, 'dataflows-arrows', { sizes: [DESK] })
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Show a list of the blocks' }).click()
  await expect(page.getByRole('table', { name: 'Blocks' })).toBeVisible()
  await photograph(page, 'dataflows-blocks')
  await page.goto(`/${code}/marketing/dataflows`)
  await expect(page.getByRole('table', { name: 'Dataflows' })).toBeVisible()
  await photograph(page, 'dataflows-list')
})
