import type { UpdateAiModelRequest } from '@trellis/contract/ai/models.schemas'
import { allows, type Permission } from '@trellis/contract/core/permissions'
import { FakeError } from '../fake-error.ts'
import type { Handler, Input } from '../fake-handler.ts'
import type { FakeWorld } from '../fake-world.ts'
import { fakeModel } from './fake-model.ts'

export const MISSING_MODEL = 'not-there'

function assertRight(world: FakeWorld, { params }: Input, permission: Permission): void {
  const account = world.accounts.find(({ trellis_code }) => trellis_code === params['account_trellis_code'])
  if (!account) throw new FakeError('not_found')
  if (!allows(permission, { accountRole: account.role, workspaceRole: null })) throw new FakeError('forbidden')
}

export const modelHandlers: Record<string, Handler> = {
  getAiModel: (world, input) => {
    assertRight(world, input, 'account:read')
    return world.ai.model
  },
  updateAiModel: (world, input) => {
    assertRight(world, input, 'account:update')
    const { api_key, ...body } = input.body as UpdateAiModelRequest
    const before = world.ai.model
    if (api_key === undefined && before.has_key && before.base_url !== body.base_url) {
      throw new FakeError('invalid_request', {
        detail: 'Enter the key again for another address.',
        source: { pointer: '/api_key' },
      })
    }
    if (body.model === MISSING_MODEL) {
      throw new FakeError('integration_problem', { detail: 'The endpoint has no model named “not-there”.' })
    }
    world.ai.model = fakeModel({
      ...body,
      source: 'account',
      has_key: api_key !== undefined || before.has_key,
      can_stream: true,
      can_use_tools: false,
      context_tokens: 32_768,
      checked_at: new Date().toISOString(),
    })
    return world.ai.model
  },
  deleteAiModel: (world, input) => {
    assertRight(world, input, 'account:update')
    world.ai.model = fakeModel()
    return { done: true as const }
  },
}
