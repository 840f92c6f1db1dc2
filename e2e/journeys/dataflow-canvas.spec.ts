import type { Page } from '@playwright/test'
import { giveAccount, signIn } from '../harness/people.ts'
import { answered, expect, test } from '../harness/test.ts'
import { findFaults } from '../screens/axe.ts'

/** The server refuses a cycle. */
test.use({ expectedErrors: answered(409), permissions: ['clipboard-read', 'clipboard-write'] })

const block = (page: Page, name: string) =>
  page.getByRole('group', { name: new RegExp(`^(Source|Transformation|Destination) ${name}(,|$)`) })
const arrow = (page: Page, from: string, to: string) => page.getByRole('img', { name: `Arrow from ${from} to ${to}` })
const canvas = (page: Page) => page.getByRole('application', { name: /^Canvas of/ })

/** Compares frames rather than time: a busy machine draws the first frame late. */
async function waitUntilStill(page: Page, name: string): Promise<void> {
  const isStill = () =>
    block(page, name).evaluate(async (element) => {
      let before = ''
      for (let still = 0; still < 20 && element.isConnected;) {
        await new Promise((resolve) => requestAnimationFrame(resolve))
        const now = JSON.stringify(element.getBoundingClientRect())
        still = now === before ? still + 1 : 0
        before = now
      }
      return element.isConnected
    })
  await expect.poll(isStill).toBe(true)
}

async function add(page: Page, kind: 'Source' | 'Transformation' | 'Destination', choice: string): Promise<void> {
  await page.getByRole('tab', { name: kind }).click()
  await page.getByRole('dialog', { name: 'Add a block' }).getByRole('button', { name: choice }).click()
  await expect(page.getByRole('dialog', { name: 'Add a block' })).toBeHidden()
}

async function rename(page: Page, from: string, to: string): Promise<void> {
  await block(page, from).focus()
  await page.keyboard.press('F2')
  await page.getByLabel('Name', { exact: true }).fill(to)
  await page.getByRole('button', { name: 'Rename' }).click()
  await expect(block(page, to)).toBeVisible()
}

test('a dataflow is drawn: blocks, arrows, groups, undo, copies, all by keyboard too', async ({ page, person }) => {
  test.slow()
  const code = await giveAccount(person)
  await signIn(page, person)

  await test.step('it is created from the empty list', async () => {
    await page.goto(`/${code}/marketing/dataflows`)
    await expect(page.getByRole('heading', { name: 'No dataflows yet' })).toBeVisible()
    await page.getByRole('button', { name: 'Create dataflow' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Daily revenue')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Where does the data come from?' })).toBeVisible()
  })

  await test.step('blocks are added, the second after the first', async () => {
    await page.getByRole('button', { name: 'Add an empty block' }).click()
    await add(page, 'Source', 'Choose later')
    await expect(block(page, 'Source')).toBeVisible()
    await rename(page, 'Source', 'Orders')
    await block(page, 'Orders').focus()
    await page.keyboard.press('+')
    await add(page, 'Transformation', 'SQL')
    await expect(arrow(page, 'Orders', 'Transformation')).toBeAttached()
    await rename(page, 'Transformation', 'Revenue')
    await page.getByRole('button', { name: 'Add block' }).click()
    await page.getByLabel('Run it after Revenue').uncheck()
    await add(page, 'Destination', 'Choose later')
    await rename(page, 'Destination', 'Sheet')
  })

  await test.step('an arrow is drawn with the mouse, one that closes a circle is refused', async () => {
    const drag = async (from: string, to: string) => {
      const source = block(page, from).locator('.react-flow__handle-right')
      const target = block(page, to).locator('.react-flow__handle-left')
      const [a, b] = [await source.boundingBox(), await target.boundingBox()]
      if (!a || !b) throw new Error('The ends of the arrow are not drawn')
      await page.mouse.move(a.x + a.width / 2, a.y + a.height / 2)
      await page.mouse.down()
      await page.mouse.move(b.x + b.width / 2 - 4, b.y + b.height / 2, { steps: 8 })
      await page.mouse.move(b.x + b.width / 2, b.y + b.height / 2)
      await page.mouse.up()
    }
    await page.getByRole('button', { name: 'Show everything' }).click()
    await waitUntilStill(page, 'Orders')
    await drag('Revenue', 'Sheet')
    await expect(arrow(page, 'Revenue', 'Sheet')).toBeAttached()
    await drag('Sheet', 'Orders')
    await expect(page.getByText('The arrow was not drawn.')).toBeVisible()
    await expect(arrow(page, 'Sheet', 'Orders')).not.toBeAttached()
  })

  await test.step('a block is deleted and comes back with its arrows', async () => {
    await block(page, 'Revenue').focus()
    await page.keyboard.press('Delete')
    await expect(block(page, 'Revenue')).toBeHidden()
    await expect(arrow(page, 'Revenue', 'Sheet')).not.toBeAttached()
    await page.getByRole('button', { name: 'Undo deleting 1 block' }).click()
    await expect(block(page, 'Revenue')).toBeVisible()
    await expect(arrow(page, 'Orders', 'Revenue')).toBeAttached()
    await expect(arrow(page, 'Revenue', 'Sheet')).toBeAttached()
    await page.getByRole('button', { name: /^Redo deleting/ }).click()
    await expect(block(page, 'Revenue')).toBeHidden()
    await page.getByRole('button', { name: /^Undo deleting/ }).click()
    await expect(arrow(page, 'Revenue', 'Sheet')).toBeAttached()
  })

  await test.step('by keyboard alone: walk, select, group, fold, move, connect', async () => {
    await block(page, 'Orders').focus()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Space')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await expect(page.getByText('2 blocks selected')).toBeVisible()
    await page.keyboard.press('Control+g')
    await page.getByLabel('Name', { exact: true }).fill('Shop')
    await page.getByRole('radio', { name: 'green' }).check()
    await page.keyboard.press('Enter')
    const group = page.getByRole('group', { name: /^Group Shop, 2 blocks/ })
    await expect(group).toBeVisible()
    await group.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('group', { name: 'Group Shop, 2 blocks, folded' })).toBeVisible()
    await expect(block(page, 'Orders')).toBeHidden()
    await page.keyboard.press('Control+z')
    await expect(block(page, 'Orders')).toBeVisible()

    await block(page, 'Sheet').focus()
    const before = await block(page, 'Sheet').boundingBox()
    // Like a held key: one undo step.
    await page.evaluate(() => {
      for (let times = 0; times < 3; times += 1)
        document.activeElement?.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'ArrowDown', shiftKey: true, bubbles: true, cancelable: true }),
        )
    })
    await expect.poll(async () => (await block(page, 'Sheet').boundingBox())?.y).toBeGreaterThan(before?.y ?? 0)
    await page.keyboard.press('Control+z')
    await expect.poll(async () => (await block(page, 'Sheet').boundingBox())?.y).toBe(before?.y)

    await block(page, 'Orders').focus()
    await page.keyboard.press('c')
    await page
      .getByRole('dialog', { name: 'Arrows of Orders' })
      .getByRole('button', { name: /^Sheet/ })
      .focus()
    await page.keyboard.press('Enter')
    await expect(arrow(page, 'Orders', 'Sheet')).toBeAttached()
    await expect(block(page, 'Sheet').getByText('OR')).toBeVisible()
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: 'Keys of the canvas' })).toBeVisible()
    await page.keyboard.press('Escape')
  })

  await test.step('copies are pasted here and in another dataflow', async () => {
    await block(page, 'Orders').focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Control+c')
    await expect(page.getByText('Copied 3 blocks.')).toBeVisible()
    await page.keyboard.press('Control+v')
    await expect(block(page, 'Orders copy')).toBeVisible()
    await expect(arrow(page, 'Orders copy', 'Revenue copy')).toBeAttached()
    await page.getByRole('button', { name: 'Undo adding 3 blocks' }).click()
    await expect(block(page, 'Orders copy')).toBeHidden()
    const here = page.url()
    await page.goto(`/${code}/marketing/dataflows`)
    await page.getByRole('button', { name: 'Create dataflow' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Copies')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Where does the data come from?' })).toBeVisible()
    await page.keyboard.press('Control+v')
    await expect(block(page, 'Sheet')).toBeVisible()
    await expect(arrow(page, 'Orders', 'Revenue')).toBeAttached()
    await page.goto(here)
    await expect(block(page, 'Sheet')).toBeVisible()
  })

  await test.step('from afar a block is dragged and stays where it was dropped', async () => {
    for (let times = 0; times < 8; times += 1) await page.getByRole('button', { name: 'Zoom out' }).click()
    await waitUntilStill(page, 'Sheet')
    const from = await block(page, 'Sheet').boundingBox()
    if (!from) throw new Error('The block was not found')
    const middle = { x: from.x + from.width / 2, y: from.y + from.height / 2 }
    const saves = page.waitForResponse((answer) => answer.request().method() === 'PATCH' && answer.ok())
    await page.mouse.move(middle.x, middle.y)
    await page.mouse.down()
    await page.mouse.move(middle.x + 30, middle.y + 60, { steps: 6 })
    await page.mouse.up()
    await saves
    const dropped = await block(page, 'Sheet').boundingBox()
    expect(dropped?.y).toBeGreaterThan(from.y + 40)
    await page.reload()
    await waitUntilStill(page, 'Sheet')
    expect((await block(page, 'Sheet').boundingBox())?.y).toBeCloseTo(dropped?.y ?? 0, 0)
    await page.getByRole('button', { name: 'Show everything' }).click()
    await waitUntilStill(page, 'Sheet')
  })

  await test.step('the ground is dragged: everything moves as far as the pointer, before and after zooming', async () => {
    const frame = await canvas(page).boundingBox()
    const at = () => block(page, 'Sheet').boundingBox()
    if (!frame) throw new Error('The canvas was not found')
    for (const zoom of ['Zoom in', 'Zoom out']) {
      const before = await at()
      await page.mouse.move(frame.x + 12, frame.y + 12)
      await page.mouse.down()
      await page.mouse.move(frame.x + 52, frame.y + 42, { steps: 5 })
      await expect.poll(async () => Math.round(((await at())?.x ?? 0) - (before?.x ?? 0))).toBe(40)
      expect(Math.round(((await at())?.y ?? 0) - (before?.y ?? 0))).toBe(30)
      await page.mouse.up()
      await page.getByRole('button', { name: zoom }).click()
      await waitUntilStill(page, 'Sheet')
    }
    await page.getByRole('button', { name: 'Show everything' }).click()
    await waitUntilStill(page, 'Sheet')
  })

  await test.step('the frame of a selection moves with the ground, and a click on the ground ends it', async () => {
    const [ground, sheet] = [await canvas(page).boundingBox(), await block(page, 'Sheet').boundingBox()]
    if (!ground || !sheet) throw new Error('The canvas was not found')
    const selection = page.locator('.react-flow__nodesselection-rect')
    await page.keyboard.down('Shift')
    await page.mouse.move(sheet.x - 8, sheet.y - 8)
    await page.mouse.down()
    await page.mouse.move(sheet.x + sheet.width + 8, sheet.y + sheet.height + 8, { steps: 5 })
    await page.mouse.up()
    await page.keyboard.up('Shift')
    await expect(selection).toBeVisible()
    const before = await selection.boundingBox()
    await page.mouse.move(ground.x + 12, ground.y + 12)
    await page.mouse.down()
    await page.mouse.move(ground.x + 52, ground.y + 42, { steps: 5 })
    await expect.poll(async () => Math.round(((await selection.boundingBox())?.x ?? 0) - (before?.x ?? 0))).toBe(40)
    await page.mouse.up()
    await expect(selection).toBeVisible()
    await expect(page.locator('[data-moving]')).toHaveCount(0)
    await page.mouse.click(ground.x + 12, ground.y + 12)
    await expect(selection).toBeHidden()
  })

  await test.step('everything stands where it was after a reload, and has no faults', async () => {
    await page.reload()
    await expect(block(page, 'Sheet')).toBeVisible()
    await expect(canvas(page)).toBeVisible()
    expect(await findFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Show a list of the blocks' }).click()
    await expect(page.getByRole('table', { name: 'Blocks' })).toContainText('Revenue')
    expect(await findFaults(page)).toEqual([])
  })

  await test.step('folders: made, moved into, deleted with what is in it moving up', async () => {
    await page.getByRole('link', { name: 'Dataflows' }).first().click()
    await page.getByRole('button', { name: 'Create a folder' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Finance')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Finance', level: 1 })).toBeVisible()
    await page.getByRole('link', { name: /^All dataflows/ }).click()
    await page.getByText('Daily revenue').dragTo(page.getByRole('link', { name: /^Finance/ }))
    await expect(page.getByText('Finance · 3 blocks')).toBeVisible()
    await page.getByRole('button', { name: 'Actions for Daily revenue' }).click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    await page.getByLabel('Type delete to confirm').fill('delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByRole('table', { name: 'Dataflows' })).toContainText('Daily revenue')
  })
})
