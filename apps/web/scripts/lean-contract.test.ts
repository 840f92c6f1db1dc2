import { build } from 'vite'
import { expect, test } from 'vitest'
import { leanContract } from './lean-contract.ts'

const ENTRY = '\0entry'

async function bundled(code: string): Promise<string> {
  const made = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, minify: false, rolldownOptions: { input: ENTRY, treeshake: true } },
    plugins: [
      leanContract(),
      { name: 'entry', resolveId: (id) => (id === ENTRY ? id : null), load: (id) => (id === ENTRY ? code : null) },
    ],
  })
  const [{ output }] = [made].flat() as unknown as [{ output: { code?: string }[] }]
  return output.map((chunk) => chunk.code ?? '').join('\n')
}

test('a call keeps what it is sent by and loses what only the server checks', async () => {
  const code = await bundled(`
    import { renameBlock } from '@trellis/contract/dataflows/canvas.endpoints'
    globalThis.calls = [renameBlock]`)
  expect(code).toContain('/name')
  expect(code).toContain('body: true')
  expect(code).toContain('dataflows:write')
  for (const gone of ['summary', 'response:', 'not_found', 'zod', 'publishBlock']) expect(code).not.toContain(gone)
})

test('events are checked in the browser, so their shape stays; shapes that a screen reads stay too', async () => {
  const code = await bundled(`
    import { followTaskRunLogs } from '@trellis/contract/runs/runs.endpoints'
    import { BlockMetadata } from '@trellis/contract/dataflows/task-blocks.schemas'
    globalThis.used = [followTaskRunLogs, BlockMetadata]`)
  expect(code).toMatch(/response: \w*LogEvent/)
  expect(code).toContain('group_trellis_code')
})
