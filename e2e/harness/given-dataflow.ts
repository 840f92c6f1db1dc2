import type { APIRequestContext } from '@playwright/test'
import { type Person, post } from './people.ts'

export interface GivenDataflow {
  code: string
  toSetupPath: (block: string) => string
  blocks: Record<string, string>
}

const KINDS = { Source: 'source', Transformation: 'transformation', Destination: 'destination' } as const

interface Wanted {
  account: string
  blocks: Record<string, keyof typeof KINDS>
}

export async function giveDataflow(
  request: APIRequestContext,
  person: Person,
  { account, blocks }: Wanted,
): Promise<GivenDataflow> {
  const { email, password } = person
  const { access_token } = (await post(request, '/auth/login', { email, password })) as { access_token: string }
  const headers = { authorization: `Bearer ${access_token}` }
  const home = `/api/${account}/shop`
  const send = async <T>(path: string, data: object): Promise<T> => {
    const response = await request.post(`${home}${path}`, { headers, data })
    if (!response.ok()) throw new Error(`${path} answered ${response.status()}: ${await response.text()}`)
    return ((await response.json()) as { data: T }).data
  }
  const values = { shop: { orders_a_year: 2000, seed: 1 } }
  const connection = { platform_trellis_code: 'sample_data', name: 'Sample shop', values }
  const { integration_trellis_code } = await send<{ integration_trellis_code: string }>('/integrations', connection)
  for (;;) {
    const answer = await request.get(`${home}/integrations/${integration_trellis_code}`, { headers })
    const { data } = (await answer.json()) as { data: { state: string } }
    if (data.state === 'ACTIVE') break
    if (data.state === 'ERROR') throw new Error('The sample shop does not work.')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const { trellis_code: code } = await send<{ trellis_code: string }>('/dataflows/', { name: 'Daily revenue' })
  const made: Record<string, string> = {}
  for (const [at, [name, kind]] of Object.entries(blocks).entries()) {
    const metadata = { x: at * 320, y: 0, group_trellis_code: null, note: '' }
    const block = await send<{ task_block_trellis_code: string }>(
      `/dataflows/canvas/task-block/${KINDS[kind]}_task_block`,
      { dataflow_trellis_code: code, name, metadata },
    )
    made[name] = block.task_block_trellis_code
  }
  const toSetupPath = (block: string) => `/${account}/shop/dataflow/${code}/editor/task/${made[block]}/setup`
  return { code, toSetupPath, blocks: made }
}
