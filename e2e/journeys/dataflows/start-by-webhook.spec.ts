import { post, signIn } from '../../harness/people.ts'
import { expect, test } from '../../harness/test.ts'
import { giveWorkspaceWithTables } from '../../harness/workspace-data.ts'
import { findFaults } from '../../screens/axe.ts'

const YAML = `trellis: dataflow
version: 1
name: Called
blocks:
  make:
    kind: Transformation
    name: Make
    integration: workspace database
    settings:
      code: create table if not exists calls (n int)
    at: [0, 0]
  fill:
    kind: Transformation
    name: Fill
    integration: workspace database
    trigger:
      any:
        - after: make
    settings:
      code: insert into calls values (1)
    at: [300, 0]
`

test('another system starts a dataflow by its webhook URL, until the secret is rotated', async ({ page, person }) => {
  const { account } = await giveWorkspaceWithTables(page.request, person)
  const { email, password } = person
  const { access_token } = (await post(page.request, '/auth/login', { email, password })) as { access_token: string }
  const made = await page.request.post(`/api/${account}/shop/dataflows/import`, {
    headers: { authorization: `Bearer ${access_token}` },
    data: { yaml: YAML },
  })
  const flow = ((await made.json()) as { data: { trellis_code: string } }).data.trellis_code
  const editor = `/${account}/shop/dataflow/${flow}/editor`
  const dialog = page.getByRole('dialog', { name: 'Start by webhook' })
  const open = async () => {
    await page.getByRole('button', { name: 'Actions for Called' }).click()
    await page.getByRole('menuitem', { name: 'Start by webhook…' }).click()
    await expect(dialog).toBeVisible()
  }
  const call = async (url: string, key: string) => {
    const answer = await fetch(url, { method: 'POST', headers: { 'idempotency-key': key } })
    const body = (await answer.json()) as { data?: { flow_run_trellis_code: string; url: string } }
    return { status: answer.status, ...body.data }
  }
  let url = ''

  await test.step('a URL is created and copied', async () => {
    await signIn(page, person, editor)
    await open()
    await dialog.getByRole('button', { name: 'Create webhook URL' }).click()
    url = (await dialog.getByLabel('Webhook URL', { exact: true }).textContent()) ?? ''
    expect(url).toMatch(/\/hooks\/[a-z0-9]+\/trl_hook_[\w-]+$/)
    await expect(dialog.getByLabel('Example')).toContainText(`curl -X POST '${url}'`)
    expect(await findFaults(page)).toEqual([])
  })

  await test.step('nothing is published yet, and the caller is told so', async () => {
    expect((await call(url, 'first')).status).toBe(409)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: /^Publish/ }).click()
    await page
      .getByRole('dialog', { name: /^Publish/ })
      .getByRole('button', { name: 'Publish' })
      .click()
    await expect(page.getByRole('button', { name: 'Nothing to publish' })).toBeDisabled()
  })

  await test.step('a call runs the flow once, however often it is repeated', async () => {
    const first = await call(url, 'first')
    expect(first.status).toBe(202)
    expect(await call(url, 'first')).toEqual(first)
    await page.goto(new URL(first.url ?? '').pathname)
    await expect(page.getByLabel('Summary')).toContainText('2 blocks')
    await expect(page.getByText('Started by a call to its webhook URL.')).toBeVisible()
    await page.goto(`${editor}/logs`)
    await page.getByLabel('Triggered by').selectOption('Webhook')
    const list = page.getByRole('table', { name: 'Flow runs' })
    await expect(list.getByRole('row')).toHaveCount(2)
    await expect(list.getByRole('row').nth(1)).toContainText('Started by a call to its webhook URL.')
  })

  await test.step('the last call leads to its run, and the secret is not shown again', async () => {
    await page.goto(editor)
    await open()
    await expect(dialog.getByLabel('URL without its secret')).not.toContainText('trl_hook_')
    await dialog.getByRole('link', { name: 'Open its run' }).click()
    await expect(page).toHaveURL(new RegExp(`${editor}/logs/[a-z0-9]+$`))
  })

  await test.step('with a new secret the old URL ends', async () => {
    await page.goto(editor)
    await open()
    await dialog.getByRole('button', { name: 'Rotate secret' }).click()
    await page
      .getByRole('dialog', { name: 'Rotate the secret?' })
      .getByRole('button', { name: 'Rotate secret' })
      .click()
    const next = (await dialog.getByLabel('Webhook URL', { exact: true }).textContent()) ?? ''
    expect((await call(url, 'second')).status).toBe(404)
    expect((await call(next, 'second')).status).toBe(202)
    await dialog.getByRole('button', { name: 'Remove webhook URL' }).click()
    const question = page.getByRole('dialog', { name: 'Remove the webhook URL?' })
    await question.getByRole('button', { name: 'Remove webhook URL' }).click()
    await expect(dialog.getByRole('button', { name: 'Create webhook URL' })).toBeVisible()
    expect((await call(next, 'third')).status).toBe(404)
  })
})
