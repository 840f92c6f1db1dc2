import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { post, signIn } from '../../harness/people.ts'
import { expect, test } from '../../harness/test.ts'
import { giveWorkspaceWithTables } from '../../harness/workspace-data.ts'

const toYaml = (integration: string) => `trellis: dataflow
version: 1
name: Cities
blocks:
  read:
    kind: Source
    name: Read
    integration: { platform: http_files, name: ${integration} }
    settings:
      subtasks:
        - name: cities
          is_incremental: false
          query: { query: { files: cities.csv, format: csv, which: all } }
          write:
            schema_name: data
            table_name: cities
            strategy: Upsert
            dataModel:
              fields: { id: integer, city: text }
              column_mapping: {}
              primary_keys: [id]
              indexes: {}
            schema_policy: ask
            bad_rows: { choice: stop, most: 0 }
    at: [0, 0]
`

test('a new column at the source pauses the run, and one click lets it go on', async ({ page, person }) => {
  let file = 'id,city\n1,Kiel\n2,Bremen\n'
  const server = createServer((_, response) => response.end(file)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { account } = await giveWorkspaceWithTables(page.request, person)
  const { email, password } = person
  const { access_token } = (await post(page.request, '/auth/login', { email, password })) as { access_token: string }
  const headers = { authorization: `Bearer ${access_token}` }
  const send = async (path: string, data: object) => {
    const answer = await page.request.post(`/api/${account}/shop${path}`, { headers, data })
    expect(answer.ok(), await answer.text()).toBe(true)
    return ((await answer.json()) as { data: Record<string, string> }).data
  }
  const runAll = async () => {
    await page.getByRole('link', { name: 'Editor' }).click()
    await page.getByRole('button', { name: 'Run all' }).click()
    await page.getByRole('link', { name: 'Runs' }).click()
    await page.getByRole('button', { name: 'Canvas', exact: true }).click()
  }
  const run = page.getByRole('button', { name: /^Source Read / })

  await test.step('the first run loads the columns of the data model', async () => {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const values = { access: { address, kind: 'none' } }
    await send('/integrations', { platform_trellis_code: 'http_files', name: 'Files', values })
    const { trellis_code } = await send('/dataflows/import', { yaml: toYaml('Files') })
    await signIn(page, person, `/${account}/shop/dataflow/${trellis_code}/editor`)
    await page.getByRole('button', { name: /^Publish/ }).click()
    const dialog = page.getByRole('dialog', { name: /^Publish/ })
    await dialog.getByLabel('Message').fill('First version')
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await expect(page.getByRole('button', { name: 'Nothing to publish' })).toBeDisabled()
    await page.getByRole('button', { name: 'Run all' }).click()
    await page.getByRole('link', { name: 'Runs' }).click()
    await page.getByRole('button', { name: 'Canvas', exact: true }).click()
    await expect(run).toContainText('Succeeded')
  })

  await test.step('a column more pauses the next one', async () => {
    file = 'id,city,country\n1,Kiel,DE\n2,Bremen,DE\n3,Oslo,NO\n'
    await runAll()
    await expect(run).toContainText('Needs a decision')
    await run.click()
  })

  const panel = page.getByRole('dialog', { name: 'Run of Read' })
  await test.step('it says what changed and what either answer does', async () => {
    const changes = panel.getByRole('list', { name: 'Changed columns' })
    await expect(changes).toContainText('The source has a new column country (text).')
    await expect(changes).toContainText('country is left out, now and in later runs.')
    await panel.getByRole('link', { name: 'Whole run' }).click()
    await expect(page.getByText('Needs a decision').first()).toBeVisible()
  })

  await test.step('lists tell it from a failure', async () => {
    await page.getByRole('link', { name: 'Runs', exact: true }).click()
    await page.getByLabel('Status').selectOption('Needs a decision')
    const list = page.getByRole('table', { name: 'Flow runs' })
    await expect(list.getByRole('row')).toHaveCount(2)
    await expect(list.getByRole('listitem', { name: 'Read: Needs a decision' })).toBeVisible()
    await page.getByLabel('Status').selectOption('Failed')
    await expect(page.getByText('No run fits the filter')).toBeVisible()
    await page.getByRole('link', { name: 'Editor' }).click()
    await expect(page.getByText('Needs a decision').first()).toBeVisible()
    await page.goto(`/${account}/shop/dashboard`)
    await page.getByRole('list', { name: 'Failed' }).getByRole('link', { name: 'Decide' }).click()
    await expect(page).toHaveURL(/\/editor\/logs\/[a-z0-9]+$/)
  })

  await test.step('one click, and it goes on in the same run of the flow', async () => {
    await page.getByRole('button', { name: 'Accept and continue' }).click()
    await expect(page.getByText('The run continues from where it paused.')).toBeVisible()
    await expect(page.getByText('Succeeded', { exact: true }).first()).toBeVisible()
    await expect(page.getByRole('button', { name: 'Accept and continue' })).toBeHidden()
    await page.getByRole('table', { name: 'Block runs' }).getByRole('link', { name: 'Read' }).click()
    await expect(page.getByText('Ada Lovelace decided on its changed columns.')).toBeVisible()
    await expect(page.getByText('The data model has country as the source has')).toBeVisible()
  })
  server.close()
})
