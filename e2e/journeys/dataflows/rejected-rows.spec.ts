import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { post, signIn } from '../../harness/people.ts'
import { expect, test } from '../../harness/test.ts'
import { giveWorkspaceWithTables } from '../../harness/workspace-data.ts'

const FILE = 'id,city\n1,Kiel\n2,Bremen, Hafen\n3,Lübeck\n4,Rostock\n'

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
            strategy: Replace
            dataModel: null
            schema_policy: evolve
            bad_rows: { choice: quarantine, most: 10 }
    at: [0, 0]
`

async function serveFile() {
  const server = createServer((_, response) => response.end(FILE)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, stop: () => server.close() }
}

test('a malformed line of a file is rejected, shown, corrected and loaded', async ({ page, person }) => {
  const { account } = await giveWorkspaceWithTables(page.request, person)
  const file = await serveFile()
  const { email, password } = person
  const { access_token } = (await post(page.request, '/auth/login', { email, password })) as { access_token: string }
  const headers = { authorization: `Bearer ${access_token}` }
  const send = async (path: string, data: object) => {
    const answer = await page.request.post(`/api/${account}/shop${path}`, { headers, data })
    expect(answer.ok(), await answer.text()).toBe(true)
    return ((await answer.json()) as { data: Record<string, string> }).data
  }
  await test.step('a dataflow reads it', async () => {
    const values = { access: { address: file.address, kind: 'none' } }
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
  })

  const panel = page.getByRole('dialog', { name: 'Run of Read' })
  await test.step('the run counts it', async () => {
    const run = page.getByRole('button', { name: /^Source Read / })
    await expect(run).toContainText(/Succeeded.*1 rejected/)
    await run.click()
    await expect(panel).toContainText('Complete: 4 rows at the source, 3 here, 1 rejected.')
    await panel.getByRole('button', { name: '1 rejected row' }).click()
  })

  await test.step('its line and text are shown, and it is loaded once it is right', async () => {
    const rejected = page.getByRole('dialog', { name: 'Rejected rows: Read' })
    await expect(rejected).toContainText('line 3')
    await expect(rejected).toContainText('The row has 3 values where 2 are expected.')
    await expect(rejected).toContainText('2,Bremen, Hafen')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      rejected.getByRole('button', { name: 'Download all' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('Read - rejected rows.csv')
    expect(await readFile(await download.path(), 'utf8')).toContain(
      ',3,,The row has 3 values where 2 are expected.,waiting,"2,Bremen, Hafen"',
    )
    await rejected.getByLabel(/^city of row/).fill('Bremen Hafen')
    await rejected.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByText('1 row loaded.')).toBeVisible()
    await expect(rejected.getByText('Loaded', { exact: true })).toBeVisible()
  })
  file.stop()
})
